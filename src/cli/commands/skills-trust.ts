import type { Command } from 'commander';

/** `skillmint skills trust`. */
export function defineTrustCommands(skills: Command): void {
  skills.command('trust [skills...]').description('show what a skill could do once it is trusted, and ask whether to trust it as it is now')
    .option('--project', 'all skills of this project that are not trusted, with one question')
    .option('-y, --yes', 'trust without a question')
    .option('--list', 'every skill and whether it is trusted; changes nothing')
    .option('--revoke', 'take trust back')
    .option('--json', 'print JSON')
    .addHelpText('after', `
A trusted skill gets the tools it asks for in allowed-tools, its hooks run, and so do the commands in its text.
Trust is in the content: any change of any file asks again and shows what changed. Without a terminal nothing is
trusted unless --yes is given; the exit code is 6 then.

Examples:
  skillmint skills trust release-notes
  skillmint skills trust ./downloads/some-skill --json
  skillmint skills trust --project
  skillmint skills trust release-notes --revoke`)
    .action(async (names: readonly string[], _options, self: Command) => (await import('../listings/trust-commands.ts')).trustSkills(names, self.opts()));
}
