import type { LeftOut } from '../not-imported.js';
import { itemFrom } from '../reading/item-from.js';
import { type JsonDocument, jsonFormat } from '../reading/json-format.js';
import type { Members } from '../reading/members.js';
import { type NamedLevel, pathOfNames } from '../reading/name-path.js';
import { joinTexts, membersOf, secondsOf, textOf, textsOf } from '../reading/read-value.js';

/** The name of the collection to which Linkwarden adds a link without a collection. */
const UNORGANIZED = 'Unorganized';
const COLLECTION_ID = 'collections.[].id';
const COLLECTION_NAME = 'collections.[].name';
const PARENT_ID = 'collections.[].parentId';
const PINNED_LINK = 'pinnedLinks.[]';

const LINKWARDEN_LEFT_OUT: LeftOut = {
  page: [...['textContent', 'metaDescription', 'preview', 'image', 'pdf', 'readable', 'monolith']],
  id: [
    ...['id', 'uuid', 'collectionId', 'createdById', 'tags.[].id', 'tags.[].ownerId'],
    ...['collections.[].ownerId', 'collections.[].createdById', 'collections.[].members'],
  ],
  setting: [
    ...['type', 'icon', 'iconWeight', 'color', 'clientSide', 'aiTagged', 'indexVersion'],
    ...['lastPreserved', 'tags.[].createdAt', 'tags.[].updatedAt', 'tags.[].aiTag'],
    ...['tags.[].aiGenerated', 'tags.[].archiveAsScreenshot', 'tags.[].archiveAsMonolith'],
    ...['tags.[].archiveAsPDF', 'tags.[].archiveAsReadable', 'tags.[].archiveAsWaybackMachine'],
    ...['collections.[].icon', 'collections.[].iconWeight', 'collections.[].color'],
    ...['collections.[].isPublic', 'collections.[].createdAt', 'collections.[].updatedAt'],
    ...['name', 'username', 'email', 'emailVerified', 'unverifiedNewEmail', 'locale'],
    ...['parentSubscriptionId', 'collectionOrder', 'linksRouteTo', 'aiTaggingMethod'],
    ...['aiPredefinedTags', 'aiTagExistingLinks', 'theme', 'dismissedAnnouncementId'],
    ...['readableFontFamily', 'readableFontSize', 'readableLineHeight', 'readableLineWidth'],
    ...['preventDuplicateLinks', 'archiveAsScreenshot', 'archiveAsMonolith', 'archiveAsPDF'],
    ...['archiveAsReadable', 'archiveAsWaybackMachine', 'isPrivate', 'referredBy'],
    ...['lastPickedAt', 'acceptPromotionalEmails', 'trialEndEmailSent', 'whitelistedUsers'],
    ...['createdAt', 'updatedAt'],
  ],
};

/** Data that the import of a link needs from other parts of the file. */
interface Context {
  readonly collections: ReadonlyMap<string, NamedLevel>;
  /** The ids and the addresses of the links that the user has pinned. */
  readonly pinned: ReadonlySet<string>;
  /** The id of the collection that contains the current link. */
  collectionId: string;
}

/**
 * The format in which Linkwarden exports an account. The collection that contains a link is the folder of the
 * item.
 */
export const linkwarden = jsonFormat<Context>({
  name: 'linkwarden',
  recognitions: [{ has: ['collections.[].links'] }],
  leftOut: LINKWARDEN_LEFT_OUT,
  rowPaths: ['collections.[].links.[]'],
  contextPaths: [COLLECTION_ID],
  addContext: (context, { value }) => {
    context.collectionId = textOf(value);
  },
  contextOf: readContext,
  itemOf: (members, context) => {
    const [url, importDate] = [textOf(members.get('url')), secondsOf(members.get('importDate'))];
    const createdAt = secondsOf(members.get('createdAt'));
    return itemFrom({
      url,
      title: textOf(members.get('name')),
      tags: textsOf(members.get('tags'), 'name'),
      folders: [collectionsOf(members, context)],
      favorite: [textOf(members.get('id')), url].some((id) => context.pinned.has(id))
        ? 1
        : undefined,
      timeAdded: importDate ?? createdAt,
      timeUpdated: secondsOf(members.get('updatedAt')),
      note: joinTexts(textOf(members.get('description')), textOf(members.get('note'))),
    });
  },
});

/**
 * Returns the names of the collection that contains a link, and of the parents of this collection. In newer exports,
 * the link contains the id of the collection. In older exports, the object of the collection contains the link.
 */
function collectionsOf(
  members: Members,
  { collections, collectionId }: Context,
): readonly string[] {
  const ownId = textOf(members.get('collectionId'));
  const id = collections.has(ownId) ? ownId : collectionId;
  return pathOfNames(id, collections).filter((name) => name !== UNORGANIZED);
}

async function readContext(document: JsonDocument): Promise<Context> {
  const collections = new Map<string, NamedLevel>();
  const pinned = new Set<string>();
  let id = '';
  const paths = [COLLECTION_ID, COLLECTION_NAME, PARENT_ID, PINNED_LINK];
  for await (const { path, value } of document.partsOf(...paths)) {
    const level = collections.get(id) ?? { name: '', parentId: '' };
    switch (path) {
      case COLLECTION_ID:
        id = textOf(value);
        collections.set(id, { name: '', parentId: '' });
        break;
      case COLLECTION_NAME:
        collections.set(id, { ...level, name: textOf(value) });
        break;
      case PARENT_ID:
        collections.set(id, { ...level, parentId: textOf(value) });
        break;
      default:
        pinned.add(textOf(membersOf(value).get('id')));
        pinned.add(textOf(membersOf(value).get('url')));
    }
  }
  // Removes the entry for the empty id, because all collections without an id share this entry.
  collections.delete('');
  pinned.delete('');
  return { collections, pinned, collectionId: '' };
}
