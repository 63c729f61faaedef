/** What the lists of the segments and the totals are filtered by. */
import { sql } from 'kysely'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { taskOptions as optionsCall } from '#shared/telemarketing/tele-api.ts'
import type { Query } from '#gateway/manage/kernel/serve.ts'
import { readNodeOptions } from '../nodes/node-columns.ts'
import { peopleOfTeam } from '../tele-scope.ts'

type Options = DataOf<typeof optionsCall>

export async function taskOptions({ db, actor }: Query): Promise<Options> {
  const leadsAll = actor.rights.scope === 'all'
  const [named, { rows }] = await Promise.all([
    readNodeOptions(db),
    sql<Pick<Options, 'nodes' | 'people' | 'groups'>>`
      select
        (select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name) order by n.name, n.id), '[]')
          from marketing_node n) as nodes,
        (select coalesce(json_agg(json_build_object('userId', u.id, 'userName', u.user_name,
            'account', u.account) order by u.user_name, u.id), '[]')
          from tele_person p join sys_user u on u.id = p.user_id where ${peopleOfTeam(actor)}) as people,
        (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name, g.id), '[]')
          from team_group g where ${leadsAll} and exists (select from tele_person p
            join sys_user u on u.id = p.user_id where u.group_id = g.id)) as groups`.execute(db),
  ])
  return { ...named, ...(rows[0] as (typeof rows)[0]) }
}
