import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { SHARED } from '../skills/corpus.ts';
import { eventsOf, makePlace, open, say, writeSkill, type Place } from './open.ts';

interface Case {
  readonly name: string;
  readonly description: string;
  /** What a person writes who does not know the skill. */
  readonly sentence: string;
}

const CASES: readonly Case[] = [
  { name: 'sourdough-coach', description: 'Plans baking of sourdough bread: feeding of the starter, hydration, proofing times and oven temperature.', sentence: 'my bread is flat and the dough never rises, which proofing time should I take?' },
  { name: 'tax-folder', description: 'Sorts receipts for the yearly tax return into categories and adds up deductible amounts.', sentence: 'here are the receipts of last year, how much can I deduct?' },
  { name: 'chess-post-mortem', description: 'Annotates chess games in PGN, finds blunders and suggests openings to study.', sentence: 'where did I blunder in this PGN?' },
  { name: 'garden-calendar', description: 'Tells when to sow, plant and harvest vegetables for a climate zone.', sentence: 'when do I sow tomatoes and harvest carrots in the north?' },
  { name: 'subtitle-smith', description: 'Creates and shifts subtitles (SRT, VTT) for videos and fixes their timing.', sentence: 'the captions of my video come two seconds late, shift the srt' },
  { name: 'k8s-doctor', description: 'Diagnoses Kubernetes pods that crash, restart or stay pending, from events and logs.', sentence: 'the pods keep restarting with CrashLoopBackOff, look at the logs' },
  { name: 'postcard-layout', description: 'Lays out greeting cards and postcards for printing with bleed and crop marks.', sentence: 'I want to print greeting cards with crop marks' },
  { name: 'sql-explainer', description: 'Explains query plans of PostgreSQL and proposes indexes for slow queries.', sentence: 'this query takes nine seconds, which index would help postgres?' },
  { name: 'minutes-keeper', description: 'Turns meeting transcripts into minutes with decisions, owners and deadlines.', sentence: 'summarise the transcript of our meeting with the decisions and who owns what' },
  { name: 'genealogy-tree', description: 'Builds family trees from parish registers and exports GEDCOM.', sentence: 'export my ancestors as gedcom from these parish registers' },
  { name: 'podcast-cutter', description: 'Removes silence and filler words from audio recordings and levels loudness.', sentence: 'cut the silence and the ums out of this audio recording' },
  { name: 'solar-estimator', description: 'Estimates the yield of solar panels on a roof from orientation, tilt and location.', sentence: 'how much would panels yield on a roof with a tilt of 30 degrees?' },
  { name: 'regex-tutor', description: 'Writes, explains and tests regular expressions step by step.', sentence: 'explain this regular expression and test it on three lines' },
  { name: 'museum-labels', description: 'Writes short label texts for exhibits in plain language for visitors.', sentence: 'we need plain texts for the exhibits so that visitors understand them' },
  { name: 'route-packer', description: 'Plans delivery routes for several vans with time windows and load limits.', sentence: 'three vans, forty deliveries, each with a time window: plan the routes' },
  { name: 'haiku-clinic', description: 'Checks haiku for syllable count and season words and proposes better lines.', sentence: 'count the syllables of my poem, is it a good haiku in spring?' },
  { name: 'invoice-chaser', description: 'Writes polite payment reminders for overdue invoices in three levels.', sentence: 'a customer has not paid for sixty days, write a reminder that stays polite' },
  { name: 'tide-tables', description: 'Reads tide tables and tells safe times for walking across tidal flats.', sentence: 'when is it safe to walk across the flats at low tide on Sunday?' },
  { name: 'knitting-grader', description: 'Converts knitting patterns between sizes and recalculates stitches.', sentence: 'change this sweater pattern to size L and recalculate the stitches' },
  { name: 'wine-pairing', description: 'Suggests wines that go with a menu, by region, grape and price.', sentence: 'which grape goes with mushroom risotto below twenty euros?' },
];

const NOUNS = ['orders', 'tickets', 'reports', 'tables', 'schemas', 'releases', 'contracts', 'diagrams', 'surveys', 'ledgers'];
const VERBS = ['Reviews', 'Converts', 'Merges', 'Checks', 'Publishes', 'Compares', 'Archives', 'Translates', 'Validates', 'Imports'];

function madeUp(): readonly Pick<Case, 'name' | 'description'>[] {
  return Array.from({ length: 1000 }, (_, i) => {
    const [verb, noun] = [VERBS[i % 10] ?? '', NOUNS[Math.floor(i / 10) % 10] ?? ''];
    return { name: `${noun}-${verb.toLowerCase()}-${i}`, description: `${verb} ${noun} of department ${i}. Use when someone asks about ${noun}, wants them in another form, or needs to know what changed and when.` };
  });
}

const REAL = path.join(SHARED, 'corpus', 'distractors.jsonl.gz');

/** Every thirtieth of the real ones. */
function real(): readonly Pick<Case, 'name' | 'description'>[] {
  const rows = zlib.gunzipSync(fs.readFileSync(REAL)).toString().trim().split('\n').filter((_, i) => i % 30 === 0).slice(0, 1000);
  return rows.map((line, i) => {
    const row: { readonly name: string; readonly description: string } = JSON.parse(line);
    return { name: `d${i}-${row.name.replace(/[^\w-]+/g, '-').slice(0, 60)}`, description: row.description };
  });
}

/** Sends messages until all skills have been read: the first turns rank what could be read in time. */
async function indexed(runtime: Runtime, place: Place): Promise<void> {
  for (let i = 0; i < 100; i += 1) {
    const { events } = await say(runtime, { text: 'hello', cwd: place.project });
    if (!eventsOf(events, 'warning').some(({ code }) => code === 'skills_incomplete')) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the skills were not read to the end');
}

async function missed(place: Place): Promise<readonly string[]> {
  const { runtime } = await open(scriptedModel(Array.from({ length: 200 }, () => 'done')), { place });
  await indexed(runtime, place);
  const wrong: string[] = [];
  for (const { name, sentence } of CASES) {
    const { events } = await say(runtime, { text: sentence, cwd: place.project });
    if (!eventsOf(events, 'skill.offered').some((offer) => offer.skills.some(({ id }) => id === `project:${name}`))) wrong.push(name);
  }
  return wrong;
}

function install(place: Place, distractors: readonly Pick<Case, 'name' | 'description'>[]): void {
  for (const skill of [...distractors, ...CASES]) writeSkill(place, skill.name, { description: skill.description });
}

describe('among 1,000 other skills the first request offers the one that is meant', () => {
  it('for 20 sentences that do not name it', async () => {
    const place = makePlace();
    install(place, madeUp());
    expect(await missed(place)).toEqual([]);
  }, 120_000);

  it.skipIf(!fs.existsSync(REAL))('among real ones (needs the shared corpus)', async () => {
    const place = makePlace();
    install(place, real());
    expect(await missed(place)).toEqual([]);
  }, 120_000);
});
