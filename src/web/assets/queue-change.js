/**
 * Passes a form to the service worker, which sends the form when the network is back. Does nothing in a browser without
 * a service worker.
 * @param {string} url
 * @param {URLSearchParams} fields
 */
export function queueChange(url, fields) {
  if ('serviceWorker' in navigator) {
    const queued = { url: new URL(url, location.href).href, body: fields.toString() };
    navigator.serviceWorker.controller?.postMessage({ queued });
  }
}
