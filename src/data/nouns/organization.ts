// What is asked about organizations, and what is changed in them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listMyOrganizations,
  listOrganizationStrategies,
  updateOrganization,
  uploadLogo,
} from '#contract/organization.ts'
import type { Ctx } from '../context.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'

export type OrganizationStrategyFilters = Omit<InputOf<typeof listOrganizationStrategies>, 'id'>

export const organizationQueries = {
  /** Mine in every context, also those that begin later or have ended. */
  mine: () =>
    queryOptions({
      queryKey: keys.person.my_organizations,
      queryFn: ({ signal }) => getData().client.call(listMyOrganizations, {}, { signal }),
    }),
  one: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.organization.one(ctx, id),
      queryFn: ({ signal }) => getData().client.call(getOrganization, { id }, { signal, ctx }),
    }),
  strategies: (ctx: Ctx, id: string, filters: OrganizationStrategyFilters = {}) =>
    queryOptions({
      queryKey: keys.organization.strategies(ctx, id, filters),
      queryFn: ({ signal }) =>
        getData().client.call(listOrganizationStrategies, { id, ...filters }, { signal, ctx }),
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
    }),
}

/** The profile names the organizations too. */
function askPerson(): void {
  void askAgain(keys.person.all)
}

export const organizationMutations = {
  create: () =>
    write(
      (input: InputOf<typeof createOrganization>) => getData().client.call(createOrganization, input),
      askPerson,
    ),
  update: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof updateOrganization>) =>
        getData().client.call(updateOrganization, input, { ctx }),
      (changed) => {
        getData().query.setQueryData(organizationQueries.one(ctx, changed.id).queryKey, changed)
        askPerson()
      },
    ),
  /** A new picture; its address comes back. */
  logo: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof uploadLogo>) => getData().client.call(uploadLogo, input, { ctx }),
      ({ logo }, { id }) => {
        getData().query.setQueryData(organizationQueries.one(ctx, id).queryKey, (known) =>
          known === undefined ? known : { ...known, logo },
        )
        askPerson()
      },
    ),
  /** With its name typed again. The event that follows takes the context away. */
  remove: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof deleteOrganization>) =>
        getData().client.call(deleteOrganization, input, { ctx }),
      askPerson,
    ),
}
