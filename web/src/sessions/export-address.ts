/** Where the stored events of a session can be saved from. */
export function exportAddress(id: string): string {
  return `/api/sessions/${encodeURIComponent(id)}/export`;
}
