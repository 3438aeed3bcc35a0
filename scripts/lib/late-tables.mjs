import path from 'node:path';

const LIBRARY = /[\\/]@mariozechner[\\/]pi-tui[\\/]dist[\\/]utils\.js$/;
const GRAPHEMES = path.resolve('src/cli/interactive/screen/graphemes.ts');

/** What the library makes when it is loaded, and what takes its place: both cost as much as a start of Node together, and most conversations need neither for their first frame. */
const LATE = [
  ['const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });', `import { graphemes } from ${JSON.stringify(GRAPHEMES)};\nconst segmenter = graphemes();`],
  ['const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;', "let rgiEmoji;\nconst rgiEmojiRegex = { test: (text) => (rgiEmoji ??= new RegExp(['^', 'p{RGI_Emoji}$'].join(String.fromCharCode(92)), 'v')).test(text) };"],
];

/** Lets the library of the terminal load its tables of Unicode when a text needs them. Fails where the library is another one by now. */
export function lateTables() {
  return {
    name: 'late-tables',
    transform: {
      filter: { id: LIBRARY },
      handler(code) {
        return LATE.reduce((text, [from, to]) => {
          if (!text.includes(from)) throw new Error(`late-tables: @mariozechner/pi-tui has no longer "${from}". Look at what it does now, and measure with: npm run bench:terminal`);
          return text.replace(from, () => to);
        }, code);
      },
    },
  };
}
