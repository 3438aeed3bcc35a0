import type { KeyboardEvent } from 'react';

/** Moves the focus between the links of a list with the arrow keys. */
export function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const way = event.key === 'ArrowDown' ? 'nextElementSibling' : event.key === 'ArrowUp' ? 'previousElementSibling' : undefined;
  if (way === undefined || !(event.target instanceof Element) || event.target.closest('input, select, textarea')) return;
  for (let row = event.target.closest('li')?.[way]; row; row = row[way]) {
    const link = row.querySelector('a');
    if (!link) continue;
    event.preventDefault();
    link.focus();
    return;
  }
}
