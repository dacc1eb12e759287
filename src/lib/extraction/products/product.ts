import { decodeHTML } from 'entities';

import {
  aroundMain,
  attribute,
  type DomElement,
  eachElement,
  labelOf,
  squeezed,
  startOf,
} from '../dom.js';
import { metaOf } from '../markup/head-reader.js';
import type { Clues } from '../metadata/clues.js';
import { isArticleNode, type LdNode, ldTypes } from '../metadata/json-ld.js';
import { remove } from '../preparation/outside.js';

/** A product that a page offers. */
export interface Product {
  /** The description of the product in the data of the page, as plain text or as HTML. Empty if the data has none. */
  readonly description: string;
}

/** The maximum number of characters of a description that are read. */
const LONGEST = 50_000;

/**
 * Returns the product that a page offers, according to its metadata or to its button for the cart. Returns undefined
 * for articles about a product and for lists of products.
 */
export function productOf({ facts, main }: Clues, body: DomElement): Product | undefined {
  const nodes = main.filter(isProduct);
  const isDeclared = nodes.length > 0 || /product/iu.test(metaOf(facts, ['og:type']));
  if (main.some(isArticleNode) || !(isDeclared || hasCart(body))) {
    return undefined;
  }
  const descriptions = nodes.map(({ description }) =>
    typeof description === 'string' ? decodeHTML(description.slice(0, LONGEST)).trim() : '',
  );
  const [longest = ''] = descriptions.toSorted((a, b) => b.length - a.length);
  return { description: longest };
}

/**
 * Returns true if a JSON-LD object is a product on sale. Services declare a product without offers to show the stars of
 * their reviews in search results.
 */
const isProduct = (node: LdNode): boolean =>
  ldTypes(node).some((type) => type === 'Product' || type === 'ProductGroup') &&
  (node['offers'] !== undefined || node['hasVariant'] !== undefined);

const TO_CART =
  /^(?:add to (?:cart|bag|basket|trolley)|in den warenkorb(?: legen)?|ajouter au panier|añadir (?:al carrito|a la cesta)|aggiungi al carrello|dodaj do koszyka)$/iu;
/** A page offers one product if it has few buttons for the cart. A list of products has one for each product. */
const MOST_CARTS = 3;
const LONGEST_LABEL = 60;
const CONTROLS: ReadonlySet<string> = new Set(['button', 'input', 'a']);

function hasCart(body: DomElement): boolean {
  let carts = 0;
  eachElement(body, (element) => {
    const isControl = CONTROLS.has(element.localName);
    carts += Number(isControl && TO_CART.test(labelOn(element)));
    return !isControl;
  });
  return carts > 0 && carts <= MOST_CARTS;
}

const labelOn = (element: DomElement): string =>
  element.localName === 'input'
    ? attribute(element, 'value').trim()
    : squeezed(startOf(element, LONGEST_LABEL));

/**
 * Matches the classes and ids of parts that shops show below the description of a product: opinions and questions of
 * customers, and other products.
 */
const BESIDE =
  /(?:^|[\s_-])(?:(?:product-?)?reviews|testimonials?|questions-?and-?answers|q-?and-?a|related(?:-?products?)?|recommend(?:ed|ations?)|similar(?:-?products?)?|up-?sells?|cross-?sells?|also-?(?:bought|viewed|like)|complete-?the-?\w+|instagram|recently-?viewed)(?:$|[\s_-])/iu;

/** Removes the parts of a product's page that are beside the description and specifications of the product. */
export function removeBeside(body: DomElement): void {
  const isAround = aroundMain(body);
  remove(body, (element) => BESIDE.test(labelOf(element)) && !isAround(element));
}
