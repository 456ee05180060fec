import type { ExchangeView, ExchangeViews } from './exchange-view.ts';
import { exchangeHalves } from './html-exchange.ts';
import { html, type Markup } from './html-markup.ts';

/** Characters that all exchanges of a report may take together: what a browser opens at once. */
const room = 12_000_000;

/** Where the exchange of a finding is, or why it is not in the report. */
export type Shelf =
  | { readonly kind: 'here'; readonly id: string }
  | { readonly kind: 'unrecorded' }
  | { readonly kind: 'no-room' };

/**
 * The exchanges of a report, each once however many checks judged it. They are templates, which a
 * browser does not lay out until a reader opens the check.
 */
export class ExchangeShelf {
  readonly #views: ExchangeViews;
  readonly #shelved = new Map<ExchangeView, Shelf>();
  readonly #templates: Markup[] = [];
  #taken = 0;

  constructor(views: ExchangeViews) {
    this.#views = views;
  }

  /** Puts the exchange of this check on the shelf, unless it is there already. */
  shelve(check: string): Shelf {
    const view = this.#views.get(check);
    if (view === undefined) return { kind: 'unrecorded' };
    const known = this.#shelved.get(view);
    if (known !== undefined) return known;
    const shelf = this.#place(view);
    this.#shelved.set(view, shelf);
    return shelf;
  }

  /** The templates of everything that was shelved. */
  markup(): Markup {
    return html`${this.#templates}`;
  }

  #place(view: ExchangeView): Shelf {
    const halves = exchangeHalves(view);
    if (this.#taken + halves.text.length > room) return { kind: 'no-room' };
    this.#taken += halves.text.length;
    const id = `exchange-${this.#templates.length}`;
    this.#templates.push(html`<template id="${id}">${halves}</template>
`);
    return { kind: 'here', id };
  }
}
