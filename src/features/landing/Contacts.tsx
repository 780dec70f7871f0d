// How whoever runs this server is reached; nothing where nothing is configured.
import { useQuery } from '@tanstack/react-query'
import { NetworkError } from '#data/failure.ts'
import { contactQueries } from '#data/nouns/platform.ts'
import { failureSentence } from '#screen/failure.ts'
import { Button } from '#ui/Button.tsx'
import { ContactTree } from '#ui/nouns/ContactTree.tsx'
import css from './Contacts.module.css'

export function Contacts() {
  const { data, error, isFetching, refetch } = useQuery(contactQueries.platform())
  // most installations have none: who is offline hears nothing of what may not be there
  if (!data && error instanceof NetworkError && error.kind === 'offline') return null
  if (!data && error)
    return (
      <section className={`${css.root} ${css.missing}`}>
        <p className="t13 ink3">讀不到聯絡方式。{failureSentence(error)}</p>
        <Button size="s" busy={isFetching} onClick={() => void refetch()}>
          重試
        </Button>
      </section>
    )
  if (!data || data.length === 0) return null
  return (
    <section className={css.root} id="contact">
      <h2>聯絡我們</h2>
      <ContactTree nodes={data} columns />
    </section>
  )
}
