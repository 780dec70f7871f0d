// Many ids or rows, a statement at a time: SQLite binds no more than some thousand values.

/** Ids or rows of one statement. */
const ONE_STATEMENT = 500

/** `all` in its order, in parts of at most `most`; nothing of nothing. */
export function* partsOf<T>(all: readonly T[], most = ONE_STATEMENT): Generator<T[], void, undefined> {
  for (let from = 0; from < all.length; from += most) yield all.slice(from, from + most)
}
