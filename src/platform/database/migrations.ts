import { CreateAccounts1763700000000 } from './migrations/1763700000000-create-accounts.js';
import { CreateThrottleCounters1763700100000 } from './migrations/1763700100000-create-throttle-counters.js';
import { CreateConsumerKeys1763700200000 } from './migrations/1763700200000-create-consumer-keys.js';
import { CreateReadingLists1763800000000 } from './migrations/1763800000000-create-reading-lists.js';
import { CreatePages1763900000000 } from './migrations/1763900000000-create-pages.js';
import { PostponePageRequests1763900100000 } from './migrations/1763900100000-postpone-page-requests.js';
import { OrderPostponedPageRequests1763900200000 } from './migrations/1763900200000-order-postponed-page-requests.js';
import { CreateGrants1764000000000 } from './migrations/1764000000000-create-grants.js';
import { IndexResolvedUrls1764100000000 } from './migrations/1764100000000-index-resolved-urls.js';
import { CreateAnnotations1764100100000 } from './migrations/1764100100000-create-annotations.js';
import { CreateCallCounters1764300000000 } from './migrations/1764300000000-create-call-counters.js';
import { CreateSentPages1764300100000 } from './migrations/1764300100000-create-sent-pages.js';
import { CreateImports1764400000000 } from './migrations/1764400000000-create-imports.js';
import { SpeedSearchGrams1764400100000 } from './migrations/1764400100000-speed-search-grams.js';
import { CountEndedReaders1765000100000 } from './migrations/1765000100000-count-ended-readers.js';
import { CreatePageQuotas1765100100000 } from './migrations/1765100100000-create-page-quotas.js';
import { CreatePageCursors1765200100000 } from './migrations/1765200100000-create-page-cursors.js';
import { CreateSyncEras1765201100000 } from './migrations/1765201100000-create-sync-eras.js';
import { SeeWritersInFlight1765202100000 } from './migrations/1765202100000-see-writers-in-flight.js';
import { KeepOrderOfAddition1765300100000 } from './migrations/1765300100000-keep-order-of-addition.js';
import { AddPageSizes1765500100000 } from './migrations/1765500100000-add-page-sizes.js';
import { CreateReadingPositions1765600100000 } from './migrations/1765600100000-create-reading-positions.js';
import { AddAnnotationNotes1765600200000 } from './migrations/1765600200000-add-annotation-notes.js';
import { KeepDeletedItems1765600250000 } from './migrations/1765600250000-keep-deleted-items.js';
import { CreateReaderPreferences1765600300000 } from './migrations/1765600300000-create-reader-preferences.js';
import { CreateFeedAccesses1765600400000 } from './migrations/1765600400000-create-feed-accesses.js';
import { CreateItemTexts1765600500000 } from './migrations/1765600500000-create-item-texts.js';
import { KeepDeletedPositions1765600600000 } from './migrations/1765600600000-keep-deleted-positions.js';
import { AddRolesAndOneTimeLinks1765600700000 } from './migrations/1765600700000-add-roles-and-one-time-links.js';
import { CreateSessions1765600800000 } from './migrations/1765600800000-create-sessions.js';
import { OwnConsumerKeys1765600900000 } from './migrations/1765600900000-own-consumer-keys.js';
import { CreateIdentities1765601000000 } from './migrations/1765601000000-create-identities.js';
import { VerifyEmailAddresses1765601100000 } from './migrations/1765601100000-verify-email-addresses.js';
import { AddKindsOfKeys1765601200000 } from './migrations/1765601200000-add-kinds-of-keys.js';
import { NumberItems1765601250000 } from './migrations/1765601250000-number-items.js';
import { CreateWallabagTokens1765601300000 } from './migrations/1765601300000-create-wallabag-tokens.js';
import { CreateUrlHashes1765601410000 } from './migrations/1765601410000-create-url-hashes.js';
import { CreateEReaderSettings1765601500000 } from './migrations/1765601500000-create-e-reader-settings.js';
import { IndexHosts1765601600000 } from './migrations/1765601600000-index-hosts.js';
import { ReferToUsers1765601700000 } from './migrations/1765601700000-refer-to-users.js';
import { CreateTagMoves1765601900000 } from './migrations/1765601900000-create-tag-moves.js';
import { SpeedSearchGramsAgain1765602000000 } from './migrations/1765602000000-speed-search-grams-again.js';
import { AddItemNotes1765602100000 } from './migrations/1765602100000-add-item-notes.js';
import { CreateItemDetails1765602200000 } from './migrations/1765602200000-create-item-details.js';
import { KeepStatusOfFailedPages1765602210000 } from './migrations/1765602210000-keep-status-of-failed-pages.js';
import { AddLoginNames1765602220000 } from './migrations/1765602220000-add-login-names.js';
import { NoteAddressesOfTombstones1765602300000 } from './migrations/1765602300000-note-addresses-of-tombstones.js';
import { RepairEditedTables1765602400000 } from './migrations/1765602400000-repair-edited-tables.js';
import { ReportUnreadFields1765602600000 } from './migrations/1765602600000-report-unread-fields.js';
import { CountStoredBytes1765602700000 } from './migrations/1765602700000-count-stored-bytes.js';
import { ChangeProfiles1765603000000 } from './migrations/1765603000000-change-profiles.js';
import { KeepATrash1765603100000 } from './migrations/1765603100000-keep-a-trash.js';
import { FilterLists1765603200000 } from './migrations/1765603200000-filter-lists.js';
import { AddListLayouts1765603300000 } from './migrations/1765603300000-add-list-layouts.js';
import { AddTextAlignment1765603400000 } from './migrations/1765603400000-add-text-alignment.js';
import { AddHighlightColors1765603500000 } from './migrations/1765603500000-add-highlight-colors.js';
import { NoteMovesOfItems1765603600000 } from './migrations/1765603600000-note-moves-of-items.js';
import { AddLanguages1765603700000 } from './migrations/1765603700000-add-languages.js';
import { AddSharedItems1765603710000 } from './migrations/1765603710000-add-shared-items.js';
import { AddListEvents1765603720000 } from './migrations/1765603720000-add-list-events.js';
import { IndexItemNotes1765603730000 } from './migrations/1765603730000-index-item-notes.js';
import { CreateSavedLists1765603740000 } from './migrations/1765603740000-create-saved-lists.js';
import { CreatePublicLists1765603750000 } from './migrations/1765603750000-create-public-lists.js';
import { CreateListRules1765603760000 } from './migrations/1765603760000-create-list-rules.js';
import { CreateListRuleMails1765603761000 } from './migrations/1765603761000-create-list-rule-mails.js';
import { CreateListDigests1765603770000 } from './migrations/1765603770000-create-list-digests.js';
import { AddFoldersOfImports1765603780000 } from './migrations/1765603780000-add-folders-of-imports.js';
import { CreateTagColors1765603781000 } from './migrations/1765603781000-create-tag-colors.js';
import { CountAttemptsOfRuleMails1765603790000 } from './migrations/1765603790000-count-attempts-of-rule-mails.js';
import { CreateAuditEntries1765603800000 } from './migrations/1765603800000-create-audit-entries.js';
import { IndexLanguages1765603900000 } from './migrations/1765603900000-index-languages.js';
import { AddTimesOfLogins1765604000000 } from './migrations/1765604000000-add-times-of-logins.js';
import { CreateBackupRuns1765604200000 } from './migrations/1765604200000-create-backup-runs.js';
import { CreateSecurityMails1765604300000 } from './migrations/1765604300000-create-security-mails.js';
import { CreatePasskeys1765604400000 } from './migrations/1765604400000-create-passkeys.js';
import { NoteSecondFactors1765604500000 } from './migrations/1765604500000-note-second-factors.js';
import { CreateImportChanges1765604600000 } from './migrations/1765604600000-create-import-changes.js';
import { IndexReadingProgress1765604700000 } from './migrations/1765604700000-index-reading-progress.js';
import { AddExpiryOfKeys1765604800000 } from './migrations/1765604800000-add-expiry-of-keys.js';
import { NoteGonePages1765604900000 } from './migrations/1765604900000-note-gone-pages.js';
import { IndexFlagsOfItems1765605000000 } from './migrations/1765605000000-index-flags-of-items.js';
import { CreatePictures1765605100000 } from './migrations/1765605100000-create-pictures.js';
import { CreateSnapshots1765605200000 } from './migrations/1765605200000-create-snapshots.js';
import { CountPictures1765605300000 } from './migrations/1765605300000-count-pictures.js';
import { KeepTrashedPictures1765605400000 } from './migrations/1765605400000-keep-trashed-pictures.js';
import { TieWallabagTokens1765605500000 } from './migrations/1765605500000-tie-wallabag-tokens.js';

/** All migrations of the schema, in the order in which they run. */
export const MIGRATIONS = [
  CreateAccounts1763700000000,
  CreateThrottleCounters1763700100000,
  CreateConsumerKeys1763700200000,
  CreateReadingLists1763800000000,
  CreatePages1763900000000,
  PostponePageRequests1763900100000,
  OrderPostponedPageRequests1763900200000,
  CreateGrants1764000000000,
  IndexResolvedUrls1764100000000,
  CreateAnnotations1764100100000,
  CreateCallCounters1764300000000,
  CreateSentPages1764300100000,
  CreateImports1764400000000,
  SpeedSearchGrams1764400100000,
  CountEndedReaders1765000100000,
  CreatePageQuotas1765100100000,
  CreatePageCursors1765200100000,
  CreateSyncEras1765201100000,
  SeeWritersInFlight1765202100000,
  KeepOrderOfAddition1765300100000,
  AddPageSizes1765500100000,
  CreateReadingPositions1765600100000,
  AddAnnotationNotes1765600200000,
  KeepDeletedItems1765600250000,
  CreateReaderPreferences1765600300000,
  CreateFeedAccesses1765600400000,
  CreateItemTexts1765600500000,
  KeepDeletedPositions1765600600000,
  AddRolesAndOneTimeLinks1765600700000,
  CreateSessions1765600800000,
  OwnConsumerKeys1765600900000,
  CreateIdentities1765601000000,
  VerifyEmailAddresses1765601100000,
  AddKindsOfKeys1765601200000,
  NumberItems1765601250000,
  CreateWallabagTokens1765601300000,
  CreateUrlHashes1765601410000,
  CreateEReaderSettings1765601500000,
  IndexHosts1765601600000,
  ReferToUsers1765601700000,
  CreateTagMoves1765601900000,
  SpeedSearchGramsAgain1765602000000,
  AddItemNotes1765602100000,
  CreateItemDetails1765602200000,
  KeepStatusOfFailedPages1765602210000,
  AddLoginNames1765602220000,
  NoteAddressesOfTombstones1765602300000,
  RepairEditedTables1765602400000,
  ReportUnreadFields1765602600000,
  CountStoredBytes1765602700000,
  ChangeProfiles1765603000000,
  KeepATrash1765603100000,
  FilterLists1765603200000,
  AddListLayouts1765603300000,
  AddTextAlignment1765603400000,
  AddHighlightColors1765603500000,
  NoteMovesOfItems1765603600000,
  AddLanguages1765603700000,
  AddSharedItems1765603710000,
  AddListEvents1765603720000,
  IndexItemNotes1765603730000,
  CreateSavedLists1765603740000,
  CreatePublicLists1765603750000,
  CreateListRules1765603760000,
  CreateListRuleMails1765603761000,
  CreateListDigests1765603770000,
  AddFoldersOfImports1765603780000,
  CreateTagColors1765603781000,
  CountAttemptsOfRuleMails1765603790000,
  CreateAuditEntries1765603800000,
  IndexLanguages1765603900000,
  AddTimesOfLogins1765604000000,
  CreateBackupRuns1765604200000,
  CreateSecurityMails1765604300000,
  CreatePasskeys1765604400000,
  NoteSecondFactors1765604500000,
  CreateImportChanges1765604600000,
  IndexReadingProgress1765604700000,
  AddExpiryOfKeys1765604800000,
  NoteGonePages1765604900000,
  IndexFlagsOfItems1765605000000,
  CreatePictures1765605100000,
  CreateSnapshots1765605200000,
  CountPictures1765605300000,
  KeepTrashedPictures1765605400000,
  TieWallabagTokens1765605500000,
];
