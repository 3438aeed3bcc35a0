// A turn with a tool, a skill and answers of your own. node docs/examples/own-parts.mjs "PROMPT" [PROVIDER/MODEL]
import { createRuntime } from 'skillmint';

const stock = [{ product: 'apples', pieces: 12 }, { product: 'pears', pieces: 0 }];

const runtime = await createRuntime({
  ephemeral: true,
  tools: [
    {
      name: 'stock', description: 'Tells how many pieces of a product are in stock.', readOnly: true,
      inputSchema: { type: 'object', properties: { product: { type: 'string' } }, required: ['product'], additionalProperties: false },
      call: async ({ product }) => stock.find((row) => row.product === product) ?? 'We do not sell this.',
    },
    {
      name: 'order', description: 'Orders pieces of a product.',
      inputSchema: { type: 'object', properties: { product: { type: 'string' }, pieces: { type: 'integer', minimum: 1 } }, required: ['product', 'pieces'], additionalProperties: false },
      call: async ({ product, pieces }) => {
        const row = stock.find((each) => each.product === product);
        if (!row) throw new Error('we do not sell this');
        row.pieces += Number(pieces);
        return `Ordered. There are ${row.pieces} now.`;
      },
    },
  ],
  skills: [
    {
      name: 'restock', description: 'Fills up the stock: what to order, and how much. Use it when something has run out.',
      instructions: 'Look with the tool stock. Order what has run out: 20 pieces, as references/rules.md says.',
      frontmatter: { team: 'warehouse' },
      files: { 'references/rules.md': 'Never more than 50 pieces at once.\n' },
    },
  ],
  skillFields: { team: (value) => (value === undefined || typeof value === 'string' ? undefined : 'has to name a team') },
  // In place of a person: small orders pass, everything else that asks does not.
  answers: async ({ question, call }) => {
    if (question.kind !== 'permission') return { kind: 'text', text: 'As you think best.' };
    const decision = call.tool === 'order' && Number(call.input.pieces) <= 50 ? 'allow' : 'deny';
    return { kind: 'permission', decision, scope: 'once' };
  },
  observe: (event) => {
    if (event.type === 'skill.activated') process.stdout.write(`[skill ${event.skill_id}]\n`);
    if (event.type === 'tool.completed') process.stdout.write(`[call ${event.status}]\n`);
  },
});
try {
  const model = process.argv[3];
  const turn = await runtime.prompt({ text: process.argv[2] ?? 'The pears have run out.', cwd: process.cwd(), mode: 'default', ...(model ? { model } : {}) });
  process.stdout.write(`${(await turn.result).text}\n${JSON.stringify(stock)}\n`);
} finally {
  await runtime.close();
}
