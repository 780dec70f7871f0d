// The name of a person's database, for those who open it with Dexie and those who open it without.

export const DATABASE_PREFIX = 'lingbo-'

/** Name of the IndexedDB database of one person. */
export function databaseName(uid: string): string {
  return `${DATABASE_PREFIX}${uid}`
}
