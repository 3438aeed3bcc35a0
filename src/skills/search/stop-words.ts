import { stem } from './stem.ts';

/** English words that say nothing about what a text is about; they are neither stored nor looked for. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  ('a about all also an and any are as at be been but by can could do does for from get give had has have help her his how i if in into is it its just like make me my need no not now of on one or our out please she should so some such ' +
    'than that the their them then there these they this to up us use used user using was we were what when where which who why will with would you your skill skills').split(' '),
);

const WEAK_TERMS: ReadonlySet<string> = new Set(
  ('want wants wanted need needs needed find finding look looking looks know knowing tell telling show showing give giving think try trying tried help helping like likes love interested recommend recommendation suggest suggestion provide providing ' +
  'ask asking explain understand learn good great best better nice new recent latest current last next possible able start started keep work working works going happen happened month week day year today tomorrow yesterday tonight time times ' +
  'specific certain different several various particular people person friend guy someone question answer information info detail details detailed thing stuff idea ideas tips advice assist assistance support check let say said many much two three ' +
  'first second little big small long high low quick quickly easy easily curious wonder wondering plan planning currently example based including include create').split(' ').map(stem),
);

/** True for the term of an English word of conversation: it counts in a question, but less than others. */
export function isWeak(term: string): boolean {
  return WEAK_TERMS.has(term);
}

/** Chinese words of conversation, which a question is not about. */
export const CHINESE_STOP_WORDS: ReadonlySet<string> = new Set(
  ('我们 你们 他们 她们 它们 自己 大家 这个 那个 这些 那些 这里 那里 这样 那样 这种 那种 这是 那么 怎么 怎样 什么 哪些 哪个 如何 为何 多少 几个 一个 一下 一些 一种 一项 一份 一篇 一款 一段 一点 所有 每个 各种 各个 任何 其他 其中 其它 ' +
    '可以 可能 能够 能否 可否 是否 应该 必须 需要 想要 希望 打算 准备 考虑 知道 了解 觉得 认为 告诉 请问 请帮 帮我 帮忙 帮助 给我 我想 我要 我需 我的 你的 您的 他的 她的 它的 我在 我有 您能 你能 你好 您好 谢谢 麻烦 ' +
    '目前 现在 最近 正在 已经 曾经 刚刚 马上 今天 明天 昨天 以及 或者 并且 而且 但是 不过 因为 所以 如果 虽然 然后 还有 还要 另外 此外 同时 以便 从而 关于 对于 根据 按照 通过 利用 使用 用于 用来 进行 提供 支持 包括 包含 ' +
    '例如 比如 等等 相关 有关 具体 详细 一般 特别 非常 比较 更加 最好 很多 许多 多个 不同 以下 以上 之间 之后 之前 之一 时候 问题 情况 方面 方式 东西 事情 部分 主要 基于 来自 作为 属于 成为 就是 还是 只是 不是 没有 不要 不能 ' +
    '看看 试试 想想 请为 为我 让我 实现 完成 获取 适合 适用 专为 专门 旨在 能帮 帮你 下面 上面').split(' '),
);
