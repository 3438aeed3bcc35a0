/** The dictionary for searching skills, made of the sources as they are; kept below node_modules. `root` is the folder of the package. */
export function lexiconFile(root: string): Promise<string>;
