// Folders of skills to measure with: from a seeded generator, or from files of real ones.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

const VERBS = 'analyse build check clean compare convert create debug deploy design document draft edit explain export extract find fix format generate import inspect install merge migrate monitor optimise plan publish query refactor render review scan schedule search sort summarise test translate update validate visualise write'.split(' ');
const THINGS = 'accounts alerts api archive audio backup branch browser budget calendar changelog chart cluster code commit config container contract csv dashboard database dataset diagram document email endpoint error event excel feature file form graph html image index invoice issue json kubernetes layout ledger library log map markdown meeting memory message metrics model module network note notebook order package page parser pdf permission photo pipeline plugin policy post presentation process project prompt proposal query queue receipt record release report request resource route rule sales schema script secret server service session sheet site slide spec spreadsheet sql story style table task template test text theme ticket timeline token trace translation tutorial user version video workflow'.split(' ');
const WORLDS = 'ansible astro aws azure bash c cpp csharp dart django docker elixir excel figma flask flutter gcp github gitlab go grafana graphql haskell helm java jira kafka kotlin laravel latex linux lua mongo mysql nextjs node notion nuxt ocaml oracle perl php postgres powershell prometheus python pytorch r rails react redis ruby rust salesforce sap scala shopify slack snowflake solidity spark spring stripe svelte swift tableau terraform typescript vue wordpress xcode zig'.split(' ');

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

function* generated(count) {
  const random = randomFrom(7);
  const pick = (list) => list[Math.floor(random() * list.length)];
  for (let i = 0; i < count; i += 1) {
    const [verb, thing, world] = [pick(VERBS), pick(THINGS), pick(WORLDS)];
    const sentences = Array.from({ length: 30 }, () => `${pick(VERBS)} the ${pick(THINGS)} with ${pick(WORLDS)} and then ${pick(VERBS)} its ${pick(THINGS)} number ${Math.floor(random() * 5_000)}.`);
    yield { name: `${verb}-${thing}-${world}-${i}`, description: `Helps to ${verb} the ${thing} of a ${world} project. Use it when somebody wants to ${pick(VERBS)} or ${verb} a ${thing}, or asks about ${pick(THINGS)} and ${world}.`, body: sentences.join('\n') };
  }
}

function* real(files, count) {
  let i = 0;
  for (const file of files) {
    for (const line of zlib.gunzipSync(fs.readFileSync(file)).toString('utf8').split('\n')) {
      if (line === '') continue;
      if (i >= count) return;
      const { name, description, frontmatter, body } = JSON.parse(line);
      i += 1;
      yield frontmatter ? { text: `---\n${frontmatter}\n---\n${body ?? ''}` } : { name: String(name ?? `skill-${i}`), description: String(description ?? ''), body: body ?? '' };
    }
  }
}

/** Writes the skills, one folder each. */
export function writeCorpus(folder, { count, files }) {
  let i = 0;
  for (const skill of files.length > 0 ? real(files, count) : generated(count)) {
    const at = path.join(folder, `s${String(i).padStart(6, '0')}`);
    fs.mkdirSync(at, { recursive: true });
    fs.writeFileSync(path.join(at, 'SKILL.md'), skill.text ?? `---\nname: ${JSON.stringify(skill.name)}\ndescription: ${JSON.stringify(skill.description)}\n---\n\n${skill.body}\n`);
    i += 1;
  }
}
