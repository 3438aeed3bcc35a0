/** How much of a request has been sent; 1 when all of it has. */
export type SentShare = (share: number) => void;

/** A `fetch` that tells how much was sent, which no browser's own does. It knows what one upload needs: method, headers, a Blob, a signal. */
export function uploadFetch(onSent: SentShare): typeof fetch {
  return (address, init = {}) => new Promise((resolve, reject) => {
    init.signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(init.method ?? 'GET', address instanceof Request ? address.url : address);
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
    request.responseType = 'text';
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => lengthComputable && onSent(loaded / total));
    request.upload.addEventListener('load', () => onSent(1));
    request.addEventListener('load', () => resolve(new Response(request.responseText, { status: request.status })));
    request.addEventListener('error', () => reject(new TypeError('the connection broke')));
    request.addEventListener('abort', () => reject(new DOMException('the upload was given up', 'AbortError')));
    init.signal?.addEventListener('abort', () => request.abort());
    request.send(init.body instanceof Blob ? init.body : null);
  });
}
