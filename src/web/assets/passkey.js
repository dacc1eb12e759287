/**
 * Lets forms use passkeys. The attribute `data-passkey` of a form is the method of `navigator.credentials`, and
 * `data-options` is the address of the request for it. Without scripts or passkeys, the forms stay hidden.
 */

/** After four minutes, the page requests another challenge. A challenge is valid for five minutes. */
const RENEW_MS = 4 * 60 * 1000;

/** @typedef {{ type: 'public-key', id: string, transports: AuthenticatorTransport[] }} SentDescriptor */

/**
 * The options of a passkey as JSON.
 * @typedef {{
 *   challenge: string, user?: { id: string },
 *   allowCredentials?: readonly SentDescriptor[], excludeCredentials?: readonly SentDescriptor[],
 * }} SentOptions
 */

/** @typedef {PublicKeyCredentialCreationOptions & PublicKeyCredentialRequestOptions} PasskeyOptions */

/** The request of the browser that offers passkeys while the user fills in a form. */
let waiting = new AbortController();

/** @param {string} text */
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  );

/** @param {ArrayBuffer | null | undefined} bytes */
const textOf = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** @param {readonly SentDescriptor[]} list */
const descriptors = (list = []) => list.map((one) => ({ ...one, id: bytesOf(one.id) }));

/**
 * Requests the options of a passkey. Returns undefined if the service refuses the request, or redirects to a login page.
 * @param {HTMLFormElement} form
 */
async function optionsFor({ dataset, elements }) {
  const token = elements.namedItem('_csrf');
  const _csrf = token instanceof HTMLInputElement ? token.value : '';
  const response = await fetch(dataset['options'] ?? '', {
    ...{ method: 'POST', body: new URLSearchParams({ _csrf }) },
    headers: { Accept: 'application/json' },
  });
  if (!response.ok || response.redirected) {
    return undefined;
  }
  /** @type {unknown} */
  const body = await response.json();
  const sent = /** @type {SentOptions} */ (body);
  const options = {
    ...sent,
    ...(sent.user && { user: { ...sent.user, id: bytesOf(sent.user.id) } }),
    challenge: bytesOf(sent.challenge),
    allowCredentials: descriptors(sent.allowCredentials),
    excludeCredentials: descriptors(sent.excludeCredentials),
  };
  return /** @type {PasskeyOptions} */ (/** @type {unknown} */ (options));
}

/**
 * Returns a credential as JSON. The method `toJSON` is missing in older browsers, and fails with some password managers.
 * @param {Credential | null} credential
 */
function jsonOf(credential) {
  if (!(credential instanceof PublicKeyCredential)) {
    return '';
  }
  const { id, type, response } = credential;
  const parts =
    response instanceof AuthenticatorAttestationResponse
      ? {
          attestationObject: textOf(response.attestationObject),
          transports: 'getTransports' in response ? response.getTransports() : [],
        }
      : response instanceof AuthenticatorAssertionResponse
        ? {
            authenticatorData: textOf(response.authenticatorData),
            signature: textOf(response.signature),
            userHandle: textOf(response.userHandle),
          }
        : {};
  const clientDataJSON = textOf(response.clientDataJSON);
  return JSON.stringify({ id, type, response: { clientDataJSON, ...parts } });
}

/**
 * Sends the form with a credential. Without a credential, the service answers with the reason.
 * @param {HTMLFormElement} form
 * @param {string} credential
 */
function send(form, credential) {
  const input = form.elements.namedItem('credential');
  if (input instanceof HTMLInputElement) {
    input.value = credential;
    form.submit();
  }
}

/** @param {HTMLFormElement} form */
async function usePasskey(form) {
  waiting.abort();
  const problem = form.querySelector('[role="alert"]');
  problem?.setAttribute('hidden', '');
  try {
    const publicKey = await optionsFor(form);
    const method = form.dataset['passkey'] === 'create' ? 'create' : 'get';
    send(
      form,
      publicKey === undefined ? '' : jsonOf(await navigator.credentials[method]({ publicKey })),
    );
  } catch {
    problem?.removeAttribute('hidden');
  }
}

/**
 * Offers passkeys in the list of suggestions of the email field.
 * @param {HTMLFormElement} form
 */
async function offerInField(form) {
  const { signal } = (waiting = new AbortController());
  try {
    const publicKey = await optionsFor(form);
    if (publicKey !== undefined && !signal.aborted) {
      setTimeout(() => {
        if (!signal.aborted) {
          waiting.abort();
          void offerInField(form);
        }
      }, RENEW_MS);
      send(
        form,
        jsonOf(await navigator.credentials.get({ publicKey, signal, mediation: 'conditional' })),
      );
    }
  } catch {
    // The user has chosen another way to log in, or the browser has stopped the request.
  }
}

/** Passkeys belong to a domain, so browsers do not offer them at an IP address. */
const hasDomain = !/^[\d.]+$|^\[/.test(location.hostname);

/** @param {HTMLFormElement} form */
async function offerForm(form) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void usePasskey(form);
  });
  const canSuggest = 'isConditionalMediationAvailable' in PublicKeyCredential;
  if (canSuggest && 'suggested' in form.dataset) {
    if (await PublicKeyCredential.isConditionalMediationAvailable()) {
      await offerInField(form);
    }
  }
}

if ('PublicKeyCredential' in globalThis && hasDomain) {
  for (const hint of document.querySelectorAll('[data-without-passkeys]')) {
    hint.remove();
  }
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    if (form instanceof HTMLFormElement) {
      void offerForm(form);
    }
  }
}
