// Work on a database that is asked for more than it has connections for, as a client does it that is told 503.

/** Asks again while no connection was free in time: such work was refused before it began. Rejects as `work` does otherwise. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work()
    } catch (error) {
      if (!/timeout exceeded when trying to connect/.test(String(error))) throw error
    }
}
