import { escapeUTF8 } from 'entities';
import { createInstance, type i18n } from 'i18next';

import { type DateStyle, DateTexts, DEFAULT_STYLE } from './date-texts.js';
import { DEFAULT_LANGUAGE, localeOf, type TextLanguage } from './languages.js';
import {
  LanguageName,
  Message,
  type MessageKey,
  type MessageValue,
  type MessageValues,
} from './message.js';
import { messagesOf } from './message-files.js';

/**
 * The opening HTML tags that replace the tags of a message, such as `{ link: '<a href="/list">' }`.
 */
type Tags = Readonly<Record<string, string>>;

/** Matches a tag in the text of a message, such as `<link>`, `</link>` or `<date/>`. */
const TAG = /<(?<end>\/?)(?<name>[A-Za-z]+)(?<empty>\/?)>/g;

/** Matches the placeholder of a value in the text of a message, such as `{{name}}`. */
const VALUE = /\{\{(\w+)\}\}/g;

/** Returns the messages of a language. English replaces missing messages. */
function messagesIn(language: TextLanguage): i18n {
  const messages = createInstance();
  void messages.init({
    lng: language,
    fallbackLng: DEFAULT_LANGUAGE,
    resources: {
      [DEFAULT_LANGUAGE]: { translation: messagesOf(DEFAULT_LANGUAGE) },
      [language]: { translation: messagesOf(language) },
    },
    initAsync: false,
  });
  return messages;
}

/** Translates messages to one language (docs/decisions/0103). */
export class Translator {
  private readonly dates: DateTexts;
  private readonly lists: Intl.ListFormat;
  private readonly numbers: Intl.NumberFormat;
  /** Compares two texts in the alphabetical order of the language. */
  readonly compare: Intl.Collator['compare'];
  private readonly languages: Intl.DisplayNames;

  constructor(
    readonly language: TextLanguage,
    style: DateStyle = DEFAULT_STYLE,
    private readonly messages = messagesIn(language),
  ) {
    const locale = localeOf(language);
    this.dates = new DateTexts(locale, style);
    this.lists = new Intl.ListFormat(locale);
    this.numbers = new Intl.NumberFormat(locale);
    this.compare = new Intl.Collator(locale).compare;
    this.languages = new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' });
  }

  /** Returns a translator to the same language, which writes dates in the time zone and the date format of a user. */
  withDates(style: DateStyle): Translator {
    return new Translator(this.language, style, this.messages);
  }

  /** Returns the text of a message in the language of the translator. */
  readonly text = (message: MessageKey | Message, values?: MessageValues): string =>
    typeof message === 'string'
      ? this.write(message, values ?? {}, (text) => text)
      : this.write(message.key, message.values, (text) => text);

  /**
   * Returns a message as HTML. Replaces each tag of the message, such as `<link>`, with the opening
   * HTML tag of this name in `tags`. Replaces each empty tag, such as `<date/>`, with the complete
   * HTML of this name in `tags`. Escapes all other characters.
   */
  readonly html = (key: MessageKey, values: MessageValues, tags: Tags): string =>
    this.write(key, values, escapeUTF8).replaceAll(TAG, (tag, end: string, name: string) => {
      const opening = Object.hasOwn(tags, name) ? tags[name] : undefined;
      if (opening === undefined) {
        return escapeUTF8(tag);
      }
      return end === '' ? opening : `</${/^<(\w+)/.exec(opening)?.[1] ?? name}>`;
    });

  /** Returns a date such as `3 May 2026 at 14:05 UTC`. */
  date(date: Date): string {
    return this.dates.time(date);
  }

  /** Returns a date such as `3 May 2026`. */
  day(date: Date): string {
    return this.dates.day(date);
  }

  /** Returns a date such as `2026-05-03`, in the same time zone as `day`. */
  isoDay(date: Date): string {
    return this.dates.isoDay(date);
  }

  /** Returns a date such as `Sunday 3 May at 16:05 CEST`. */
  zonedDate(date: Date, timeZone: string): string {
    return this.dates.zoned(date, timeZone);
  }

  private write(key: MessageKey, values: MessageValues, escape: (text: string) => string): string {
    const texts = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, escape(this.valueText(value))]),
    );
    const { count } = values;
    const options = { skipInterpolation: true, ...(typeof count === 'number' && { count }) };
    // Unlike i18next, never replaces `{{name}}` inside a value that was already inserted.
    return this.messages
      .t(key, options)
      .replaceAll(VALUE, (place, name: string) => texts[name] ?? place);
  }

  private valueText(value: MessageValue): string {
    if (typeof value === 'string') {
      return value;
    }
    if (typeof value === 'number') {
      return this.numbers.format(value);
    }
    if (value instanceof Message) {
      return this.text(value);
    }
    if (value instanceof LanguageName) {
      return this.languages.of(value.code) ?? value.code;
    }
    return value instanceof Date
      ? this.date(value)
      : this.lists.format(value.map((one) => this.text(one)));
  }
}

/** The translator for texts that are always English, such as the errors of the API. */
export const english = new Translator(DEFAULT_LANGUAGE);

const translators = new Map<TextLanguage, Translator>([[DEFAULT_LANGUAGE, english]]);

/** Returns the translator to a language. Reads the messages of the language when it is used for the first time. */
export function translatorTo(language: TextLanguage): Translator {
  const translator = translators.get(language) ?? new Translator(language);
  translators.set(language, translator);
  return translator;
}
