// Numbers that both sides rely on, each with its unit in its name (spec §9, product.md, rulings).
export const RETRY_LIMIT = 3
export const BACKOFF_MS = 1_000
export const BACKOFF_MAX_MS = 30_000
export const CACHE_UNUSED_MS = 60_000
export const TOAST_MS = 5_000
export const ERROR_LIST_CAP = 10
export const ERROR_LIST_VISIBLE = 3
export const MOBILE_BELOW_PX = 768
export const JUST_LOGGED_IN_MS = 10_000
export const TOKEN_LIFE_S = 30 * 24 * 3600
export const TOKEN_RENEW_AFTER_S = 24 * 3600
export const HOOK_BODY_BYTES = 64 * 1024
/** As much is kept of a body that nobody could read. */
export const BODY_KEPT_BYTES = 2 * 1024
export const API_BODY_BYTES = 256 * 1024
export const JSON_DEPTH = 32
export const WEBHOOKS_PER_STRATEGY = 5
/** Rules of signals: of one strategy, and of one person for it (domain §8.1). */
export const STOCK_RULES_MOST = 50
/** All of one owner's strategies, and all of one person's own: they are read as signals come. */
export const STOCK_RULES_PER_OWNER = 1_000
export const DELIVERY_KEPT_DAYS = 30
/** Of a webhook: messages that wait for their format to be confirmed, formats that wait, formats that are confirmed. */
export const HELD_MOST = 1_000
export const FORMATS_WAITING_MOST = 50
export const FORMATS_CONFIRMED_MOST = 200
/** Rows of files of XQ as they came, of one owner: ten full imports of short rows and more. */
export const ORIGINAL_PER_OWNER_BYTES = 100 * 1024 * 1024
/** Records that files of one owner may ever bring, voids of deleted ones included: they stay in the chains. */
export const IMPORTED_PER_OWNER = 200_000
/** Files of one strategy. */
export const ORIGINAL_FILES_MOST = 200
/** Deliveries read again in one call. */
export const REPLAY_MOST = 200
export const RECORDS_ON_DEVICE = 5_000
export const FEED_LIMIT = 1_000
export const CHAIN_LIMIT = 1_000
export const HEARTBEAT_MS = 20_000
/** A heartbeat that has not come by then is late: the screen says so, the connection stays. */
export const STREAM_LATE_MS = 25_000
/** Two and a half heartbeats: the connection is given up (F22). */
export const STREAM_SILENCE_MS = 50_000
/** An attempt without an answer is given up as a call is. */
export const STREAM_ANSWER_MS = 20_000
export const EVENTS_KEPT_DAYS = 7
export const STREAMS_PER_USER = 10
export const IDEMPOTENCY_DAYS = 7
export const VERIFY_RESEND_S = 60
export const VERIFY_LIFE_S = 600
export const INVITE_LIFE_S = 7 * 24 * 3600
export const JOIN_REQUEST_LIFE_S = 30 * 24 * 3600
/** Links of one organization; one that is stopped can be used again under a new address. */
export const INVITE_LINKS_MOST = 50
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 72
export const RESET_LIFE_S = 1_800
/** How long a person may take at another provider of sign-in. */
export const SSO_LIFE_S = 600
/** How long an application's question waits: from signing up to the mail with the code and back. */
export const ASKING_LIFE_S = 1_800
/** What was allowed to an application outlives its tokens; afterwards the person is asked anew. */
export const CONSENT_LIFE_S = 180 * 24 * 3600
/** Characters of an announcement (wire.md §9). */
export const ANNOUNCEMENT_BODY = 20_000
export const ANNOUNCEMENT_TAGS_MOST = 5
/** What one organization may keep; a year of daily ones stays below. */
export const ANNOUNCEMENTS_PER_ORGANIZATION = 500
export const ANNOUNCEMENTS_PINNED = 3
export const IMAGE_BYTES = 8 * 1024 * 1024
export const IMAGE_PIXELS = 40_000_000
/** What one owner may lay down: a person, with the organizations that the person leads (server/usage/tables.ts); a year of trading stays far below. */
export const STRATEGIES_PER_OWNER = 2_000
export const NOTES_PER_OWNER = 5_000_000
/** Organizations that one person leads; they share the person's room. */
export const ORGANIZATIONS_LED = 20
export const IMAGES_PER_OWNER_BYTES = 500 * 1024 * 1024
/** Bodies of messages that became no signal; further ones keep their verdict alone. */
export const REFUSED_PER_OWNER_BYTES = 200 * 1024 * 1024
/** Bodies of messages that became signals; beyond it the oldest are let go, their verdict, hash and signal stay. */
export const MESSAGES_PER_OWNER_BYTES = 500 * 1024 * 1024
/** Deliveries; beyond it the oldest go, but none of the last day: by them a repeated message is known. */
export const DELIVERIES_PER_OWNER = 300_000
/** Events that a device can catch up with; one that is further behind reads anew. */
export const EVENTS_PER_OWNER = 300_000
/** Notes of who could see what that hold no more. */
export const ACCESS_NOTES_PER_OWNER = 100_000
/** Strategies with those that were deleted; of them the oldest without a record go. */
export const STRATEGIES_KEPT_PER_OWNER = 5_000
/** Groups, and strategies given to groups, of all organizations of an owner. */
export const GROUPS_PER_OWNER = 2_000
export const GROUP_STRATEGIES_PER_OWNER = 100_000
/** Title and text of all announcements of an owner's organizations. */
export const ANNOUNCEMENT_SIGNS_PER_OWNER = 5_000_000
/** Answers kept for the keys of one account; beyond it the oldest go. */
export const ANSWERS_PER_ACCOUNT_BYTES = 32 * 1024 * 1024
/** Notifications of one account, with their deliveries. */
export const NOTIFICATIONS_PER_ACCOUNT = 20_000
/** Sign-ins of one account, ended ones among them: the least recently seen go. */
export const SIGN_INS_PER_ACCOUNT = 1_000
/** Devices and chats of one account, those that are gone among them. */
export const RECEIVERS_PER_ACCOUNT = 200
/** In one direction; WebP knows no more. */
export const IMAGE_SIDE_PX = 16_383
export const AVATAR_PX = 512
/** Signs of a logo that comes along with a new organization, in base64: a call without a picture's own body takes no more. */
export const LOGO_SIGNS = 180_000
export const NOTE_IMAGE_BYTES = 5 * 1024 * 1024
/** Longest side: a chart of a whole screen stays readable. */
export const NOTE_IMAGE_PX = 2_000
export const NOTE_IMAGES = 10
/** A picture that no note shows is kept this long: drafts wait, and what was cut out may be wanted back. */
export const NOTE_IMAGE_UNUSED_DAYS = 7
/** A setting that could not be sent goes by itself this long; the server knows its key for as long. */
export const OUTBOX_SETTING_MS = 7 * 24 * 3600_000
/** A signal that could not be sent goes by itself this long, then it asks; settable per device up to a day (design: late is worse than none). */
export const OUTBOX_SIGNAL_MS = 120_000
export const OUTBOX_SIGNAL_MOST_MS = 24 * 3600_000
export const OUTBOX_RECEIPT_MS = 24 * 3600_000
/** Older signals alarm nobody unless asked; they stand in the inbox. */
export const NOTIFY_FRESH_MS = 3_600_000
/** Inbox and deliveries are kept as long. */
export const NOTIFICATION_KEPT_DAYS = 90
/** Codes of Telegram and LINE bindings (domain.md §7.7). */
export const BIND_LIFE_S = 600
/** Texts on Telegram and LINE may be so long. */
export const CHAT_TEXT = 4_000
/** Of a push message before it is encrypted (wire.md §8). */
export const PUSH_BYTES = 3_500
export const PUSH_DEVICES = 20
/** Chats of Telegram, and as many of LINE, that one person has bound: each is told of everything. */
export const CHATS_MOST = 20
/** Entries of a contact tree, on all its levels, and how many levels it has (wire.md §3). */
export const CONTACT_LINKS = 20
export const CONTACT_LEVELS = 3
/** Members and strategies that come along in a copy of a group: as many as may be noted in an hour. */
export const GROUP_COPY_ROWS = 5_000
