/* The names of what a list of records is filtered by, as they stand in the address. Small, so that a route can take them in. */

export const FILTERS = [
  'kind',
  'strategy',
  'webhook',
  'action',
  'effect',
  'side',
  'source',
  'state',
  'since',
  'text',
] as const
