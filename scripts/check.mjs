// Measures the source against the gates of the house; exits with 1 and names every offender when one falls.
import { measure } from './lib/gates.mjs';
import { parseFolder } from './lib/source-module.mjs';

const gates = measure([...parseFolder('src'), ...parseFolder('web/src')], [...parseFolder('test'), ...parseFolder('bench')]);
const width = Math.max(...gates.map(({ name }) => name.length));
for (const { name, figure, limit, ok } of gates) {
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(width)}  ${figure}  (${limit})`);
}
const fallen = gates.filter(({ ok }) => !ok);
for (const { name, offenders } of fallen) {
  console.log(`\n${name}:`);
  for (const { file, line, what } of offenders) console.log(`  ${file}:${line}  ${what}`);
}
process.exitCode = fallen.length > 0 ? 1 : 0;
