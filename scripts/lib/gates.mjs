import { barrelOffenders, cycleOffenders, matrixOffenders } from './import-gates.mjs';
import {
  anyTypes, assertions, consoleCalls, emptyCatches, exportDocs, functions, longFiles, medianLines, moduleState, suppressions, unexplainedAssertions,
} from './code-gates.mjs';

const FILE_LINES = 400;
const MEDIAN_LINES = 120;
const LONG_FUNCTION = 60;
const HUGE_FUNCTION = 100;
const LONG_FUNCTIONS_PERCENT = 1;
const ASSERTIONS_PER_1000 = 2;

const none = (name, offenders) => ({ name, figure: String(offenders.length), limit: '0', ok: offenders.length === 0, offenders });

function fileGates(source) {
  const longest = Math.max(0, ...source.map(({ lines }) => lines));
  const tooLong = longFiles(source, FILE_LINES);
  const median = medianLines(source);
  return [
    { name: 'longest file, lines', figure: String(longest), limit: `≤ ${FILE_LINES}`, ok: tooLong.length === 0, offenders: tooLong },
    { name: 'median file, lines', figure: String(median), limit: `≤ ${MEDIAN_LINES}`, ok: median <= MEDIAN_LINES, offenders: [] },
  ];
}

function functionGates(source) {
  const all = functions(source);
  const long = all.filter(({ lines }) => lines > LONG_FUNCTION);
  const percent = all.length === 0 ? 0 : (100 * long.length) / all.length;
  const ok = percent < LONG_FUNCTIONS_PERCENT;
  return [
    { name: `functions over ${LONG_FUNCTION} lines`, figure: `${long.length} of ${all.length} (${percent.toFixed(2)} %)`, limit: `< ${LONG_FUNCTIONS_PERCENT} %`, ok, offenders: ok ? [] : long },
    none(`functions over ${HUGE_FUNCTION} lines`, all.filter(({ lines }) => lines > HUGE_FUNCTION)),
  ];
}

function assertionGates(source) {
  const all = assertions(source);
  const lines = source.reduce((sum, module) => sum + module.lines, 0);
  const density = lines === 0 ? 0 : (1000 * all.length) / lines;
  const ok = density <= ASSERTIONS_PER_1000;
  return [
    { name: 'type assertions per 1,000 lines', figure: `${density.toFixed(2)} (${all.length} in ${lines} lines)`, limit: `≤ ${ASSERTIONS_PER_1000}`, ok, offenders: ok ? [] : all },
    none('type assertions without a reason', unexplainedAssertions(source)),
  ];
}

function docGate(source) {
  const { count, missing } = exportDocs(source);
  const percent = count === 0 ? 100 : (100 * (count - missing.length)) / count;
  return { name: 'documented exports', figure: `${percent.toFixed(1)} % of ${count}`, limit: '100 %', ok: missing.length === 0, offenders: missing };
}

/** Every gate with its figure, its limit and who breaks it. `source`: modules of src/; `others`: tests, benchmarks, scripts. */
export function measure(source, others = []) {
  return [
    none('import cycles, types included', cycleOffenders(source)),
    none('imports against the matrix', matrixOffenders(source)),
    none('barrels', barrelOffenders(source)),
    ...fileGates(source),
    ...functionGates(source),
    none('any', anyTypes(source)),
    none('empty catch', emptyCatches(source)),
    none('lint or type suppressions (tests too)', suppressions([...source, ...others])),
    ...assertionGates(source),
    docGate(source),
    none('console outside of src/cli', consoleCalls(source)),
    none('state of modules', moduleState(source)),
  ];
}
