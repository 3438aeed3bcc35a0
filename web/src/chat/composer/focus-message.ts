/** Puts the cursor into the message; not for people who touch, who would get a keyboard on the screen, nor when they are at something else. */
export function focusMessage(): void {
  const { activeElement } = document;
  const isElsewhere = activeElement !== null && activeElement !== document.body && !activeElement.closest('[data-request]');
  if (isElsewhere || !window.matchMedia('(hover: hover)').matches) return;
  document.querySelector<HTMLTextAreaElement>('textarea[data-message]')?.focus();
}
