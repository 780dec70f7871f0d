// Where a picture of a note lies: the address as it stands in the note's Markdown, and how to find it there. No schemas: screens that only read need this much.

/** Under the origin; what follows is the picture's id. */
export const NOTE_IMAGE_PATH = '/api/v1/uploads/note-images/'

const ADDRESS = /^\/api\/v1\/uploads\/note-images\/([0-9a-f]{40})$/
const IN_MARKDOWN = /\]\(\/api\/v1\/uploads\/note-images\/([0-9a-f]{40})(?![0-9a-f])/g

/** The address of a picture, to be written as `![…](address)`. */
export const noteImageAddress = (id: string): string => NOTE_IMAGE_PATH + id

/** The id in such an address; null for every other address. */
export const noteImageId = (address: string): string | null => ADDRESS.exec(address)?.[1] ?? null

/** Ids of the pictures that a note shows, each once, in their order. */
export function noteImageIds(note: string): string[] {
  return [...new Set(Array.from(note.matchAll(IN_MARKDOWN), (found) => found[1] as string))]
}
