// Rows read to be changed: nobody else changes them until the transaction ends.

/** The query with its rows held. SQLite has one writer anyway, and no words for it. */
export function held<Q extends { forUpdate(): Q }>(
  { engine }: { readonly engine: 'sqlite' | 'postgres' },
  query: Q,
): Q {
  return engine === 'postgres' ? query.forUpdate() : query
}
