// The part of the WebExtensions API that the extension uses, in both Chromium and Firefox.

interface ExtensionEvent<Listener> {
  addListener(listener: Listener): void;
}

interface ExtensionTab {
  readonly id?: number;
  /**
   * The URL is present only for tabs on hosts that the user allowed, or for all tabs if the extension has the
   * permission `tabs`.
   */
  readonly url?: string;
  readonly title?: string;
  readonly status?: string;
}

interface ExtensionStorage {
  get(name: string): Promise<Record<string, unknown>>;
  set(values: Record<string, unknown>): Promise<void>;
  remove(names: string | string[]): Promise<void>;
}

interface ExtensionPermissions {
  readonly origins?: string[];
  readonly permissions?: string[];
}

interface MenuClick {
  readonly menuItemId: string | number;
  readonly linkUrl?: string;
  readonly linkText?: string;
}

interface MenuItem {
  readonly id: string;
  readonly title: string;
  readonly contexts: readonly string[];
  readonly documentUrlPatterns?: readonly string[];
  readonly targetUrlPatterns?: readonly string[];
}

declare const chrome: {
  readonly action: {
    setBadgeText(details: { tabId?: number; text: string }): Promise<void>;
    setBadgeBackgroundColor(details: { color: string }): Promise<void>;
    setTitle(details: { tabId?: number; title: string }): Promise<void>;
  };
  /** Undefined in Firefox for Android. */
  readonly commands?: {
    readonly onCommand: ExtensionEvent<(command: string, tab?: ExtensionTab) => void>;
  };
  /** Undefined in Firefox for Android. */
  readonly contextMenus?: {
    create(item: MenuItem): void;
    removeAll(): Promise<void>;
    readonly onClicked: ExtensionEvent<(click: MenuClick, tab?: ExtensionTab) => void>;
  };
  /** Undefined in Firefox. */
  readonly dom?: {
    openOrClosedShadowRoot(element: HTMLElement): ShadowRoot | null;
  };
  readonly i18n: {
    getMessage(name: string, values?: readonly string[]): string;
  };
  readonly permissions: {
    contains(permissions: ExtensionPermissions): Promise<boolean>;
    request(permissions: ExtensionPermissions): Promise<boolean>;
    remove(permissions: ExtensionPermissions): Promise<boolean>;
  };
  readonly runtime: {
    getManifest(): { version: string };
    openOptionsPage(): Promise<void>;
    sendMessage(message: unknown): Promise<unknown>;
    readonly onInstalled: ExtensionEvent<() => void>;
    readonly onMessage: ExtensionEvent<
      (message: unknown, sender: unknown, answer: (value: unknown) => void) => boolean
    >;
  };
  readonly scripting: {
    executeScript<Args extends unknown[], Result>(injection: {
      target: { tabId: number };
      func: (...args: Args) => Result | Promise<Result>;
      args?: Args;
    }): Promise<{ result?: Result }[]>;
    executeScript(injection: {
      target: { tabId: number };
      files: string[];
    }): Promise<{ result?: unknown }[]>;
  };
  readonly storage: {
    readonly local: ExtensionStorage;
    readonly session: ExtensionStorage;
    readonly onChanged: ExtensionEvent<() => void>;
  };
  readonly tabs: {
    create(tab: { url: string }): Promise<ExtensionTab>;
    get(tabId: number): Promise<ExtensionTab>;
    query(filter: { active: boolean; currentWindow: boolean }): Promise<ExtensionTab[]>;
    update(tabId: number, change: { url?: string; active?: boolean }): Promise<ExtensionTab>;
    readonly onActivated: ExtensionEvent<(info: { tabId: number }) => void>;
    readonly onRemoved: ExtensionEvent<(tabId: number) => void>;
    readonly onUpdated: ExtensionEvent<
      (tabId: number, change: { status?: string }, tab: ExtensionTab) => void
    >;
  };
};
