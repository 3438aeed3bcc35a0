import type { Command } from 'commander';
import { collect } from '../options.ts';

/** `skillmint skills pack` and `skillmint skills unpack`. */
export function definePackCommands(skills: Command): void {
  skills.command('pack [skill]').description('put a skill, named or in a folder, into one file with digests, a signature and encryption as wanted')
    .option('--out <file>', 'where to write it; NAME.skillpack in this folder when left out')
    .option('--force', 'replace a file that is there')
    .option('--sign <key>', 'sign with the key in this file')
    .option('--recipient <age1…>', 'encrypt for the holder of this age identity; may be given several times', collect)
    .option('--passphrase-file <file>', 'encrypt with the passphrase on the first line of this file')
    .option('--new-key <file>', 'make a key to sign with, print its public half, and do nothing else')
    .option('--new-identity <file>', 'make an age identity to decrypt with, print its recipient, and do nothing else')
    .option('--json', 'print JSON')
    .addHelpText('after', `
The same folder gives the same bytes, unless they are encrypted. Links that lead out of the skill are refused.

Examples:
  skillmint skills pack --new-key ~/skill-signing.pem
  skillmint skills pack release-notes --sign ~/skill-signing.pem
  skillmint skills pack ./my-skill --recipient age1… --out my-skill.skillpack`)
    .action(async (skill: string | undefined, _options, self: Command) => (await import('../packs/pack-command.ts')).packSkill(skill, self.opts()));
  addOpeningOptions(skills.command('unpack <file>').description('check a .skillpack and unpack it into a folder, without installing it'))
    .requiredOption('--to <dir>', 'folder in which the folder of the skill is made')
    .option('--json', 'print JSON')
    .addHelpText('after', `
A pack of which any byte was changed is refused. A signer that you do not know yet is asked about; without a terminal
the pack is refused with exit code 6 unless --trust-signer names them.

Examples:
  skillmint skills unpack release-notes.skillpack --to ./look
  skillmint skills unpack secret.skillpack --to ./look --identity ~/age-identity.txt`)
    .action(async (file: string, _options, self: Command) => (await import('../packs/unpack-command.ts')).unpackSkill(file, self.opts()));
}

/** Adds the options of every command that opens a .skillpack; their values are `OpeningFlags`. */
export function addOpeningOptions(command: Command): Command {
  return command
    .option('--identity <file>', 'for a .skillpack: age identities to decrypt with; may be given several times', collect)
    .option('--passphrase-file <file>', 'for a .skillpack: the passphrase, on the first line of this file')
    .option('--trust-signer <fingerprint>', 'for a .skillpack: accept this signer, and no other, and remember them');
}
