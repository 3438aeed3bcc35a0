/** One thing that must hold, by the id that the titles of its tests carry. */
export interface SafetyCase {
  readonly id: string;
  readonly about: string;
}

const cases = (group: string, of: Readonly<Record<string, string>>): readonly SafetyCase[] => Object.entries(of).map(([id, about]) => ({ id, about: `${group}: ${about}` }));

/** What has to have a test today. */
export const SAFETY_CASES: readonly SafetyCase[] = [
  ...cases('archives', {
    'C-A1': 'the whole set of hostile and harmless archives',
    'C-A3': 'an archive that lies about its size',
    'C-A4': 'an install that is killed',
    'C-A5': 'an install over a skill of somebody else',
    'C-A7': 'git addresses that are commands',
    'C-A9': 'downloads that turn inward, are too large, or never end',
  }),
  ...cases('SKILL.md', {
    'C-M1': 'bombs for readers of YAML',
    'C-M2': 'one broken skill among a thousand',
    'C-M4': 'markup and control characters in a skill',
    'C-M6': 'tools that an untrusted skill asks for',
    'C-M7': 'a skill that wants other settings',
  }),
  ...cases('paths', {
    'C-F1': 'paths that leave the workspace',
    'C-F3': 'paths in an address of the server',
    'C-F4': 'a folder that is swapped meanwhile',
    'C-F6': 'a second name of an outside file',
  }),
  ...cases('rules', {
    'C-R1': 'shell texts against rules',
    'C-R3': 'random shell texts',
    'C-R5': 'a question without an answer',
    'C-R6': 'an answer that fits no open question',
    'C-R8': 'what "always" stores',
    'C-R9': 'tools and arguments that do not exist',
  }),
  ...cases('egress', {
    'C-N1': 'addresses that lead inward',
    'C-N3': 'a name that changes its address',
    'C-N4': 'the same from a page in a browser',
    'C-N6': 'answers without end',
    'C-N8': 'hosts that only look alike',
  }),
  ...cases('sandbox', {
    'C-S1': 'writes outside',
    'C-S2': 'reads of secrets',
    'C-S4': 'connections',
    'C-S6': 'a granted host and its redirect',
    'C-S8': 'processes of the machine',
    'C-S10': 'a machine without a sandbox',
    'C-S11': 'what it costs',
  }),
  ...cases('server', {
    'C-H1': 'routes without a credential',
    'C-H2': 'requests for another host',
    'C-H3': 'requests of a page of somebody else',
    'C-H5': 'a server for other machines without a token of its own',
    'C-H6': 'leave by CORS',
    'C-H8': 'what belongs to another user',
    'C-H10': 'frames, sniffing and scripts',
    'C-H12': 'guessing at the login',
  }),
  ...cases('limits', {
    'C-L1': 'output without end',
    'C-L2': 'commands that do not end',
    'C-L3': 'a fork bomb',
    'C-L4': 'memory without end',
    'C-L7': 'many commands in the background',
  }),
  ...cases('crash', {
    'C-K1': 'kills at any moment',
    'C-K3': 'a tool that is killed while it writes',
    'C-K4': 'children of a killed program',
    'C-K6': 'a database that is damaged, cut, or without its log',
    'C-K8': 'a crash while the context is compacted',
    'C-K9': 'a polite request to end',
  }),
  ...cases('provider faults', {
    'C-V1': 'a provider that is overloaded, reset or not to be found',
    'C-V2': 'a request that is refused',
    'C-V3': 'a provider that says nothing',
    'C-V4': 'a stream that breaks',
    'C-V6': 'calls that cannot be made, and a hundred of them',
    'C-V7': 'a reply with nothing in it',
    'C-V9': 'a context that overflows, twice',
    'C-V11': 'a page where a reply should be',
  }),
  ...cases('MCP faults', {
    'C-C1': 'a server that does not come up',
    'C-C2': 'a server that crashes or hangs in a call',
    'C-C4': 'results, tools and names beyond all bounds',
    'C-C6': 'instructions in what a server says',
  }),
  ...cases('concurrency', {
    'C-O1': 'two clients that send at once',
    'C-O2': 'many that create at once',
    'C-O4': 'a client that comes back',
    'C-O5': 'thousands of sessions',
  }),
  ...cases('secrets', {
    'C-E1': 'a key appears nowhere but in its header',
    'C-E2': 'an error that repeats the key',
    'C-E4': 'modes of files and folders',
  }),
  ...cases('injection', {
    'C-J1': 'a model that obeys whatever it reads',
  }),
];

/** Cases without a test, each with the reason. Whoever writes a test for one takes it out of here. */
export const OPEN_CASES: Readonly<Record<string, string>> = {
};
