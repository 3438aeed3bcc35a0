/** Plugin for rolldown and vite: `import text from './tool.md'` gives the file as a string, without its last line end. */
export function markdownText() {
  return {
    name: 'markdown-text',
    transform(code, id) {
      if (!id.endsWith('.md')) return null;
      return { code: `export default ${JSON.stringify(code.trimEnd())};`, moduleType: 'js', map: null };
    },
  };
}
