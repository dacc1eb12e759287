import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ExtensionMessage {
  readonly message: string;
  readonly placeholders?: Readonly<Record<string, { readonly content: string }>>;
}

/** Matches a placeholder in a generated message, such as `$SERVER$`. */
const PLACEHOLDER = /\$([A-Z0-9_@]+)\$/gi;

/** Matches the position of a value, such as `$1`, or several `$`, of which the browser removes one. */
const POSITION = /\$(?:([1-9])|(\$+))/g;

/** The module `extension/lib/texts.js`. */
export interface ExtensionTexts {
  text(key: string, values?: Readonly<Record<string, string | number>>): string;
  fillTexts(): void;
  language(): string;
}

/**
 * Loads `extension/lib/texts.js` with a replacement of `chrome.i18n`, which reads the generated
 * messages of one language like a browser.
 */
export function extensionTexts(language = 'en', locales = 'extension/_locales'): ExtensionTexts {
  const file = join(locales, language, 'messages.json');
  const messages = JSON.parse(readFileSync(file, 'utf8')) as Record<string, ExtensionMessage>;
  const getMessage = (name: string, values: readonly string[] = []): string => {
    const { message = '', placeholders = {} } = messages[name] ?? {};
    return message
      .replaceAll(
        PLACEHOLDER,
        (text, placeholder: string) => placeholders[placeholder.toLowerCase()]?.content ?? text,
      )
      .replaceAll(POSITION, (_, position: string | undefined, dollars: string | undefined) =>
        position === undefined ? (dollars ?? '') : (values[Number(position) - 1] ?? ''),
      );
  };
  Object.assign(globalThis, { chrome: { i18n: { getMessage } } });
  return jest.requireActual<ExtensionTexts>('../../extension/lib/texts.js');
}
