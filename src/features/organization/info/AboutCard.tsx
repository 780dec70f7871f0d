/* The organization in its own words, how to reach it, and how long I belong to it. */
import { useQuery } from '@tanstack/react-query'
import type { Organization } from '#contract/organization.ts'
import { organizationQueries } from '#data/nouns/organization.ts'
import { failureSentence } from '#screen/failure.ts'
import { ymd } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { ContactTree } from '#ui/nouns/ContactTree.tsx'
import { Introduction } from '../parts/Introduction.tsx'
import { OrganizationCard } from '../parts/OrganizationCard.tsx'
import { OrganizationHead } from '../parts/OrganizationHead.tsx'
import { PeriodState } from '../parts/PeriodState.tsx'
import { usePeople } from '../parts/people.ts'
import { periodStateWords, ROLE_WORDS } from '../parts/words.ts'

export function AboutCard({ organization }: { organization: Organization }) {
  const { cover } = usePeople()
  const all = useQuery(organizationQueries.mine())
  const mine = all.data?.find(({ id }) => id === organization.id)
  const name = cover(organization.name)
  const period = mine && { starts_on: mine.starts_on, ends_on: mine.expires_on }
  const state = mine && period && periodStateWords(mine.status, period)
  return (
    <OrganizationCard label="組織">
      <OrganizationHead name={name} logo={organization.logo} large>
        <p className="t13 ink3">{ROLE_WORDS[organization.my_role]}</p>
      </OrganizationHead>
      {organization.introduction ? (
        <Introduction text={organization.introduction} />
      ) : (
        <p className="ink3">還沒有簡介。</p>
      )}
      {organization.contact_email && (
        <p className="t13">
          <span className="ink3">聯絡信箱　</span>
          <a className="link" href={`mailto:${organization.contact_email}`}>
            {cover(organization.contact_email)}
          </a>
        </p>
      )}
      {organization.contact_links.length > 0 && (
        <ContactTree nodes={organization.contact_links} cover={cover} />
      )}
      {period && state && (
        <PeriodState period={period} state={state}>
          <span className="t13 ink3 num">
            {ymd(period.starts_on)} 加入{period.ends_on && `，到 ${ymd(period.ends_on)}`}
          </span>
        </PeriodState>
      )}
      {!all.data && all.error && (
        <div className="row gap8" role="alert">
          <p className="sp t13 ink3">讀不到你的期間：{failureSentence(all.error)}</p>
          <Button size="s" busy={all.isFetching} onClick={() => void all.refetch()}>
            重試
          </Button>
        </div>
      )}
    </OrganizationCard>
  )
}
