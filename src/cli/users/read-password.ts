import { SkillmintError } from '../../protocol/errors.ts';
import { write } from '../terminal.ts';

const MOST_BYTES = 10_000;
const [ENTER, NEWLINE, INTERRUPT, END, BACKSPACE, DELETE] = ['\r', '\n', '\u0003', '\u0004', '\b', '\u007f'];

/** A password from the terminal, typed twice without being shown, or the first line of standard input. @throws SkillmintError usage, interrupted */
export async function readPassword(name: string): Promise<string> {
  if (!process.stdin.isTTY) return firstLine();
  const password = await typed(`Password of ${name}: `);
  if ((await typed('The same again: ')) !== password) throw new SkillmintError('usage', 'The two are not the same. Nothing was changed.');
  return password;
}

async function firstLine(): Promise<string> {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > MOST_BYTES) throw new SkillmintError('usage', 'Standard input is too long for a password.');
  }
  const [line = ''] = text.split(/\r?\n/);
  if (line === '') throw new SkillmintError('usage', 'No password came on standard input. Send it there, or run this on a terminal.');
  return line;
}

async function typed(prompt: string): Promise<string> {
  const { stdin } = process;
  await write(process.stderr, prompt);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  try {
    return await keys();
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    await write(process.stderr, '\n');
  }
}

function keys(): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const stop = (): void => void process.stdin.off('data', take);
    const take = (chunk: string): void => {
      for (const key of chunk) {
        if (key === INTERRUPT || key === END) {
          stop();
          return reject(new SkillmintError('interrupted', 'Interrupted; nothing was changed.'));
        }
        if (key === ENTER || key === NEWLINE) {
          stop();
          return resolve(text);
        }
        text = key === BACKSPACE || key === DELETE ? Array.from(text).slice(0, -1).join('') : text + key;
      }
    };
    process.stdin.on('data', take);
    process.stdin.resume();
  });
}
