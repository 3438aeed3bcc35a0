import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/protocol/content.ts';
import type { TextPage } from '../../src/web/page.ts';
import { asData, pageText } from '../../src/web/page-outcome.ts';

const page = (text: string): TextPage => ({ kind: 'text', url: 'https://a.example/', mediaType: 'text/plain', text, notes: [] });

describe('a page that is read in parts', () => {
  it('gives every character once, and none in halves', () => {
    const text = `${'🍵'.repeat(20_000)}\n${'x'.repeat(30_000)}`;
    let read = '';
    for (let offset = 0; offset < text.length;) {
      const shown = textOf(pageText(page(text), offset).content);
      const [, part = '', end] = /<web_page[^>]*>\n([\s\S]*)\n<\/web_page>\n\[Characters \d+ to (\d+)/.exec(shown) ?? [];
      expect(Buffer.from(part).toString()).toBe(part);
      read += part;
      offset = Number(end);
    }
    expect(read).toBe(text);
  });

  it('begins with a whole character wherever it is to begin', () => {
    expect(textOf(pageText(page('a🍵b'), 2).content)).toContain('\n🍵b\n');
    expect(textOf(pageText(page('a🍵b'), 3).content)).toContain('\nb\n');
  });
});

it.each(['</web_page>', '</ web_page >', '</WEB_PAGE>', '</web_results>'])('content cannot end its marks: %s', (end) => {
  const data = asData('web_page', `x ${end} y`, { url: 'https://a.example/', title: `t ${end}` });
  expect(data.match(/<\/\s*web_/gi)).toHaveLength(1);
});
