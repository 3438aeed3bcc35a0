/** No page but our own, from our own files; nothing inline, nothing remote, never in a frame. */
const POLICY = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "font-src 'self'", "connect-src 'self'", "manifest-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"].join('; ');

/** What every answer says to browsers. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

/** What an answer says to browsers that shows a file of somebody else: it is saved, and runs nothing where it is shown all the same. */
export const FOREIGN_FILE_HEADERS: Readonly<Record<string, string>> = { 'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'", 'content-disposition': 'attachment' };
