// The conformance suite names fs.globSync, which Node has from 22 on, and uses it for nothing that is run here.
import { register } from 'node:module';

const FS = `data:text/javascript,${encodeURIComponent("export * from 'node:fs'; export const globSync = () => { throw new Error('no globSync in this Node'); };")}`;
const HOOK = `export const resolve = (specifier, context, next) => specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/') ? { url: ${JSON.stringify(FS)}, format: 'module', shortCircuit: true } : next(specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
