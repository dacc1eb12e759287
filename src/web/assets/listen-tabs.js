import { BASE } from './own-path.js';

const CHANNEL = `satchel${BASE}-listen`;

/**
 * Lets only one tab speak. Browsers would speak the sentences of two tabs in turn.
 * @param {() => void} stop Called when another tab begins to speak.
 * @returns {() => void} Stops the speech of the other tabs.
 */
export function speakAlone(stop) {
  if (!('BroadcastChannel' in window)) {
    return () => undefined;
  }
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', stop);
  return () => {
    channel.postMessage('speaking');
  };
}
