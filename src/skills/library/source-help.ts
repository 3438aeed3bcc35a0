/** What a source may look like, for help texts. */
export const SOURCE_HELP = `SOURCE is one of
  ./FOLDER, ./FILE.zip, ./FILE.tgz     a folder or an archive on this machine
  ./FILE.skillpack                     what skillmint skills pack has made
  OWNER/REPO[/FOLDER][@REF]            a repository on GitHub
  https://HOST/REPO.git[#REF[:FOLDER]] a git repository (git+https://… where the address does not end in .git)
  npm:PACKAGE[@VERSION]                a package of the npm registry; a version, a range or a tag
  https://HOST/FILE.zip                an archive: .zip, .tgz or .tar.gz
  https://HOST[#SKILL]                 a site that offers skills at /.well-known/agent-skills/index.json
  mcp:SERVER[#SKILL]                   skills that an MCP server offers (skillmint mcp list)
REF is a branch, a tag or a commit. Addresses on this machine or in a private network, and http:, need their host in the
setting network.allow.`;
