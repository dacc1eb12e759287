import { attribute, type DomElement } from '../dom.js';

/** Names of languages that highlighters use as classes. Other words in these places are names of styles. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'apache asm awk bash bat batch bibtex c c# c++ clojure cmake cobol coffeescript console cpp crystal cs csharp css ' +
    'csv cuda cython d dart diff docker dockerfile elixir elm erlang fish fortran fsharp go golang gradle graphql groovy ' +
    'haskell hcl html http ini java javascript jinja js json json5 jsonc jsx julia kotlin latex less lisp lua make ' +
    'makefile markdown matlab md mermaid mysql nginx nim nix objc objective-c ocaml pascal patch perl pgsql php plsql ' +
    'postgresql powershell prolog properties protobuf ps1 puppet py python python3 r racket rb rego rest rs rst ruby rust ' +
    'sass scala scheme scss sh shell shell-session solidity sparql sql svelte swift tcl terraform tex toml ts tsx ' +
    'typescript v vb vbnet verilog vhdl vim vue wasm xml yaml yml zig zsh'
  ).split(' '),
);
/** Names of languages as pages show them above code, with the name in a class. */
const SHOWN: ReadonlyMap<string, string> = new Map([
  ['plain text', ''],
  ['plaintext', ''],
  ['text', ''],
  ['shell session', 'console'],
  ['visual basic', 'vb'],
  ['objective-c', 'objectivec'],
]);
const NO_LANGUAGE =
  /^(?:none|text|txt|plain|plaintext|default|nohighlight|undefined|auto|output|markup-templating)$/u;
/** Matches the class of a language according to the HTML standard (section 4.5.15). */
const DECLARED = /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,20})(?:$|[\s;{])/iu;
const STYLED =
  /(?:^|\s)(?:highlight-source|highlight-text|highlight|source|src|type|code|brush|syntax|file)(?:-|:\s*|_)([\w+#-]{1,20})/iu;
/** The number of elements around code that may declare its language. */
const MOST_AROUND = 3;

/** Returns the language of code, such as `python`, from the code's element or from the elements around it. */
export function codeLanguage(pre: DomElement): string {
  const inner = pre.querySelector('code');
  let at: DomElement | null = pre;
  const path = [...(inner ? [inner] : [])];
  for (let depth = 0; at && depth <= MOST_AROUND; depth += 1) {
    path.push(at);
    at = at.parentElement;
  }
  for (const element of path) {
    const isOwn = element === pre || element === inner;
    const found = declaredBy(element, isOwn).toLowerCase();
    if (found !== '') {
      return NO_LANGUAGE.test(found) ? '' : found;
    }
  }
  return '';
}

function declaredBy(element: DomElement, isOwn: boolean): string {
  const named = nameIn(element);
  return isOwn || isKnown(named) ? named || styleIn(element, isOwn) : styleIn(element, isOwn);
}

function nameIn(element: DomElement): string {
  const named =
    attribute(element, 'data-lang') ||
    attribute(element, 'data-language') ||
    (DECLARED.exec(classOf(element))?.[1] ?? '');
  return /^[\w+#.-]{1,20}$/u.test(named) ? named : '';
}

/** Returns the language that a highlighter names in a class without the prefix of the HTML standard. */
function styleIn(element: DomElement, isOwn: boolean): string {
  const classes = classOf(element);
  const words = [STYLED.exec(classes)?.[1] ?? '', ...(isOwn ? classes.split(/[\s:;]+/u) : [])];
  return words.find(isKnown) ?? '';
}

/** The maximum length of a class that is read, because all blocks of code in an element read the class of the element. */
const LONGEST_CLASS = 1_000;
const classOf = (element: DomElement): string =>
  attribute(element, 'class').slice(0, LONGEST_CLASS);

const isKnown = (name: string): boolean => KNOWN.has(name.toLowerCase());

/**
 * Returns the language that a label above code names. Returns an empty text for a label such as "Plain text".
 * @returns undefined if the text is not the name of a language
 */
export function languageNamed(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return SHOWN.get(name) ?? (KNOWN.has(name) ? name : undefined);
}
