/* The organization in its own words, how to reach it, and how long I belong to it. */
import { useQuery } from '@tanstack/react-query'
import type { Organization } from '#contract/organization.ts'
import { organizationQueries } from '#data/nouns/organization.ts'
import { ymd } from '#text/format.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { cx } from '#ui/open.ts'
import { Tag } from '#ui/Tag.tsx'
import css from '../OrganizationPage.module.css'
import { PeriodLine } from '../parts/PeriodLine.tsx'
import { usePeople } from '../parts/people.ts'
import { ROLE_WORDS, stateWords } from '../parts/words.ts'

export function AboutCard({ organization }: { organization: Organization }) {
  const { cover, face } = usePeople()
  const mine = useQuery(organizationQueries.mine()).data?.find(({ id }) => id === organization.id)
  const name = cover(organization.name)
  const period = mine && { starts_on: mine.starts_on, ends_on: mine.expires_on }
  const state = mine && period && stateWords(mine.status, period)
  return (
    <section className={cx(css.card, 'card')} aria-label="組織">
      <div className={css.head}>
        <Avatar name={name} src={face(organization.logo)} size={56} />
        <div className="sp">
          <h2 className={css.title}>{name}</h2>
          <p className="t13 ink3">{ROLE_WORDS[organization.my_role]}</p>
        </div>
      </div>
      {organization.introduction ? (
        <p className={css.intro}>{organization.introduction}</p>
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
      {period && state && (
        <div className={css.period}>
          <PeriodLine period={period} wide />
          <span className="row gap8">
            <span className="t13 ink3 num">
              {ymd(period.starts_on)} 加入{period.ends_on && `，到 ${ymd(period.ends_on)}`}
            </span>
            <Tag tone={state.tone} icon={state.icon}>
              {state.text}
            </Tag>
          </span>
        </div>
      )}
    </section>
  )
}
