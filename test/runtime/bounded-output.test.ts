import { expect, it } from 'vitest';
import { boundedOutput } from '../../src/runtime/execute/bounded-output.ts';

const LIMIT = 512 * 1024;

it('takes no more memory for many small pieces than for one large', () => {
  const output = boundedOutput(LIMIT, () => undefined);
  const before = process.memoryUsage();
  for (let i = 0; i < LIMIT; i++) output.add(Uint8Array.of(97), 'stdout');
  const after = process.memoryUsage();
  // One object for each piece would be some 200 bytes a byte; what is not tidied up yet of those that are gone is up to 60.
  expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(LIMIT * 80);
  expect(output.text('stdout')).toBe('a'.repeat(LIMIT));
  expect(output.isCut()).toBe(false);
});

it('keeps both streams apart under one limit, calls once when there is more, and drops the rest', () => {
  let calls = 0;
  const output = boundedOutput(10, () => calls++);
  const add = (text: string, stream: 'stdout' | 'stderr'): string => Buffer.from(output.add(Buffer.from(text), stream)).toString();
  expect([add('abcdef', 'stdout'), add('ghij', 'stderr')]).toEqual(['abcdef', 'ghij']);
  expect([calls, output.isCut()]).toEqual([0, false]);
  expect([add('k', 'stderr'), add('l', 'stdout')]).toEqual(['', '']);
  expect([calls, output.isCut(), output.text('stdout'), output.text('stderr')]).toEqual([1, true, 'abcdef', 'ghij\n[TRUNCATED]']);
});
