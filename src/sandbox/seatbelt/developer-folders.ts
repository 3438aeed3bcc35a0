import fs from 'node:fs';

const LINK = '/private/var/db/xcode_select_link';

/** Applications that the tools behind /usr/bin/git and others lie in, where the person has chosen one that is not called Xcode.app. */
export function developerFolders(link: string = LINK): readonly string[] {
  if (!fs.lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return [];
  const application = /^\/Applications\/[^/]+\.app(?=\/|$)/.exec(fs.readlinkSync(link))?.[0];
  return application === undefined ? [] : [application];
}
