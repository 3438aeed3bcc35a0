/** Tells when the colours of the page have become others, by choice or with the system; gives back how to stop it. */
export function onTheme(tell: () => void): () => void {
  const watched = new MutationObserver(tell);
  watched.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', tell);
  return () => {
    watched.disconnect();
    system.removeEventListener('change', tell);
  };
}
