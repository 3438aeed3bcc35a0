import type { Arm } from '../../../src/evaluate/runs/plan.ts';
import type { MissStage } from '../../../src/evaluate/report/report.ts';
import type { Verdict } from '../../../src/evaluate/statistics/verdict.ts';

const ARMS: Readonly<Record<Arm, string>> = { without: 'without the skill', old: 'old version', new: 'with the skill', crowded: 'among other skills' };
const VERDICTS: Readonly<Record<Verdict, string>> = { better: 'Better', worse: 'Worse', 'no difference': 'No difference', 'not enough evidence': 'Not enough evidence' };
const STAGES: Readonly<Record<MissStage, string>> = { 'not offered': 'not offered', 'offered but not selected': 'offered but not selected', 'selected but not followed': 'selected but not followed' };

/** Texts of evaluations, in English. */
export const evaluationsEn = {
  title: 'Evaluations',
  meaning: 'An evaluation runs the evals of the skill with and without it, and says whether it helps.',
  none: 'It was never evaluated.',
  open: 'Evaluate…', start: 'Evaluate', dialog: (name: string): string => `Evaluate ${name}`,
  costs: 'Each run is a session with the model, and costs what such a session costs.',
  suite: 'Suite', suites: { all: 'Both', output: 'Output: what comes out', triggers: 'Triggers: when it is used' },
  runs: 'Runs of each case', budget: 'Budget in USD', budgetHelp: 'It ends then, and can be gone on with. Left empty there is none.',
  back: 'The skill', of: (name: string): string => `Evaluation of ${name}`,
  statuses: { running: 'Running', finished: 'Finished', unfinished: 'Unfinished' },
  progress: (done: number, planned: number): string => `${done} of ${planned} runs`,
  stop: 'Stop', resume: 'Go on',
  facts: { model: 'Model', judge: 'Judge', seed: 'Seed', cost: 'Cost' },
  verdicts: VERDICTS, arms: ARMS, stages: STAGES,
  results: 'Results', passRate: 'Expectations met, in percent, with 95 % intervals', tokens: 'Tokens of a run: mean, smallest and largest', time: 'Seconds of a run: mean, smallest and largest',
  differences: 'Differences in points, with 95 % intervals', triggersShort: 'triggers',
  table: { met: 'Expectations met', whole: 'Runs that meet all', runs: 'Runs', failed: (count: number): string => `${count} failed`, tokens: 'Tokens', seconds: 'Seconds', cost: 'Cost' },
  triggers: (arm: string): string => `Triggers, ${arm}`, matrix: 'Which messages have loaded the skill, counted in runs', should: 'should trigger', shouldNot: 'should not trigger', triggered: 'triggered', notTriggered: 'not triggered',
  precision: 'Precision', recall: 'Recall', wrong: 'Messages that do not trigger as they should', ofRuns: (count: number, runs: number): string => `${count} of ${runs}`,
  expectations: 'Expectations to look at', useless: { 'always met': 'always met: it tells nothing', 'never met': 'never met: it tells nothing' }, flaky: (arm: string): string => `flaky ${arm}`,
};

/** The same in Chinese. */
export const evaluationsZh: typeof evaluationsEn = {
  title: '评测',
  meaning: '评测会分别在使用和不使用该技能的情况下运行其评测用例，并判断技能是否有帮助。',
  none: '尚未评测。',
  open: '评测…', start: '开始评测', dialog: (name) => `评测 ${name}`,
  costs: '每次运行都是与模型的一次会话，费用与普通会话相同。',
  suite: '测试集', suites: { all: '两者', output: '输出：产生的结果', triggers: '触发：何时使用' },
  runs: '每个用例的运行次数', budget: '预算（美元）', budgetHelp: '达到预算即结束，之后可以继续。留空则不限。',
  back: '返回技能', of: (name) => `${name} 的评测`,
  statuses: { running: '运行中', finished: '已完成', unfinished: '未完成' },
  progress: (done, planned) => `已完成 ${done} / ${planned} 次运行`,
  stop: '停止', resume: '继续',
  facts: { model: '模型', judge: '评审', seed: '随机种子', cost: '费用' },
  verdicts: { better: '更好', worse: '更差', 'no difference': '没有差别', 'not enough evidence': '证据不足' },
  arms: { without: '不使用技能', old: '旧版本', new: '使用技能', crowded: '与其他技能一起' },
  stages: { 'not offered': '未提供', 'offered but not selected': '已提供但未选择', 'selected but not followed': '已选择但未执行' },
  results: '结果', passRate: '满足的期望（百分比，含 95% 区间）', tokens: '每次运行的 token 数：平均、最小与最大', time: '每次运行的秒数：平均、最小与最大',
  differences: '差异（百分点，含 95% 区间）', triggersShort: '触发',
  table: { met: '满足的期望', whole: '全部满足的运行', runs: '运行次数', failed: (count) => `${count} 次失败`, tokens: 'Token', seconds: '秒', cost: '费用' },
  triggers: (arm) => `触发（${arm}）`, matrix: '各类消息是否加载了技能（按运行次数）', should: '应当触发', shouldNot: '不应触发', triggered: '已触发', notTriggered: '未触发',
  precision: '精确率', recall: '召回率', wrong: '触发不符合预期的消息', ofRuns: (count, runs) => `${count} / ${runs}`,
  expectations: '需要检查的期望', useless: { 'always met': '总是满足：没有区分作用', 'never met': '从不满足：没有区分作用' }, flaky: (arm) => `不稳定（${arm}）`,
};
