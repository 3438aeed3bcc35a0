const MAX_MESSAGE = 300;
const SHORTEST_SECRET = 4;

/** Texts that look like keys of the usual providers, and bearer tokens. */
const LOOKS_SECRET = /\b(?:sk|pk|rk|key|xai|gsk|hf)[-_][\w*.-]{8,}|\bAIza[\w-]{20,}|\bBearer\s+[\w.~+/=-]{8,}|\beyJ[\w-]{10,}\.[\w-]+\.[\w-]*/g;

/** Every control character, C1 and line separators included. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Makes a provider's words fit to be shown: every secret masked, on one line, without control characters, at most
 * 300 characters. `secrets` are masked whatever they look like.
 */
export function masker(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  return (text) => {
    const hidden = known.reduce((rest, secret) => rest.replaceAll(secret, '***'), text).replace(LOOKS_SECRET, '***');
    const line = hidden.replace(CONTROL, ' ').replace(/ {2,}/g, ' ').trim();
    return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE - 1)}…` : line;
  };
}
