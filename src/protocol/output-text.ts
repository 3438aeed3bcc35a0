import { visibleText } from './visible-text.ts';

/** Colours and titles that programs write for a terminal. */
const TERMINAL_CODES = /\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
/** A line that was written over again and again, such as a bar of progress: only its last state is read. */
const WRITTEN_OVER = /[^\n]*\r(?=[^\n])/g;

/** Output of a program as one would read it in a terminal without colours; nothing in it can hide. */
export function outputText(text: string): string {
  return visibleText(text.replace(TERMINAL_CODES, '').replace(/\r\n/g, '\n').replace(WRITTEN_OVER, '').replace(/\r$/, ''));
}
