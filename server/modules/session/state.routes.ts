import { sql } from 'kysely'
import { coreFailures } from '#contract/core/failures.ts'
import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { ProgramOptions } from '#contract/programs/program-options.ts'
import * as session from '#contract/session/session.ts'
import { IpBlockMode } from '#contract/settings/ip-access.ts'
import { changeSession } from '#server/core/auth/session-changes.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { countPeople } from '#server/core/runtime/installation.across.ts'
import { plainAddress } from '#server/core/runtime/ip-access.ts'
import { findRestoredCopy } from '#server/core/runtime/restored-copy.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { writtenTodayIn } from '#server/core/runtime/today.ts'
import { version } from '#server/core/runtime/version.ts'
import { findNewArrangement } from '../payments/arrangements.queries.ts'
import { findProgramContext } from '../programs/context.queries.ts'
import { countUnread, getGlobalSettings, stateUser } from './state.queries.ts'

/** The address of a call that is let in only because the mode is Warn. */
const warningFor = async ({ ipAccess }: Services, address: string): Promise<string | null> => {
  const { mode, isAllowed } = await ipAccess.check(address)
  return mode === IpBlockMode.warn && !isAllowed ? plainAddress(address) : null
}

export const stateRoutes = [
  handle(session.getState, async ({ db, user, session: current, services, from }) => {
    const program = await findProgramContext(db, current.programId)
    return {
      User: await stateUser(db, user),
      CollegeId: program?.CollegeId ?? current.collegeId,
      ProgramId: program?.Id ?? null,
      CollegeName: program?.CollegeName ?? null,
      ProgramName: program?.Name ?? null,
      TimeZone: program?.TimeZone ?? user.TimeZone,
      TemplateId: current.templateId,
      IsProgramMenuEnabled: current.isProgramMenuEnabled,
      isAdminMenuSemiHidden: current.isAdminMenuSemiHidden,
      Viewer: current.viewer && { Name: current.viewer.Name },
      IsShared: current.isShared,
      IpWarning: await warningFor(services, from.address),
    }
  }),

  handle(session.saveState, async ({ db, body, user, session: current }) => {
    const wanted = body.ProgramId ?? null
    const isChosen = body.ProgramId !== undefined
    if (wanted !== null && !user.isSuperAdmin && wanted !== user.ProgramId)
      throw fail(coreFailures.no_program)
    const program = await findProgramContext(db, isChosen ? wanted : current.programId)
    if (isChosen && wanted !== null && !program) throw fail(coreFailures.no_program)
    const collegeId =
      isChosen && program
        ? program.CollegeId
        : body.CollegeId !== undefined
          ? body.CollegeId
          : current.collegeId
    await changeSession(db, current.id, {
      ...(user.isSuperAdmin && {
        college_id: collegeId,
        program_id: isChosen
          ? wanted
          : body.CollegeId !== undefined && body.CollegeId !== program?.CollegeId
            ? null
            : current.programId,
      }),
      ...(body.TemplateId !== undefined && { template_id: body.TemplateId }),
      ...(body.IsProgramMenuEnabled !== undefined && {
        is_program_menu_enabled: body.IsProgramMenuEnabled,
      }),
      ...(body.isAdminMenuSemiHidden !== undefined && {
        is_admin_menu_semi_hidden: body.isAdminMenuSemiHidden,
      }),
      last_seen_at: sql`now()`,
    })
    const options = JSON.stringify(program?.Options ?? ProgramOptions.parse({}))
    return {
      ProgramOptionsLegacyData: options,
      ProgramOptionsData: options,
      GlobalSettings: JSON.stringify(await getGlobalSettings(db)),
    }
  }),

  handle(session.getGlobals, async ({ db, user, session: current, services }) => {
    const program = await findProgramContext(db, current.programId)
    const options = program?.Options ?? ProgramOptions.parse({})
    return {
      AppUrl: `${services.publicUrl()}${services.config.appRoot}/`,
      CookieDomain: new URL(services.publicUrl()).hostname,
      AppVersion: version,
      ProgramOptionsData: JSON.stringify(options),
      ProgramOptionsLegacyData: JSON.stringify(options),
      GlobalSettings: JSON.stringify(await getGlobalSettings(db)),
      AccessLevel: user.AccessLevel,
      ModBy: user.UserName,
      IsSysAdmin: user.isSuperAdmin && !user.SuperAdminAreas,
      SuperAdminAreas: user.SuperAdminAreas,
      ServerTimeoutWarningMinutes: options.ServerTimeoutWarningMinutes,
      MapTilesUrl: services.config.mapTilesUrl ?? null,
      HelpChatUrl:
        may(user, 'help-chat.use') && !current.viewer ? (services.config.zendesk?.widgetUrl ?? null) : null,
      IsDemoInstallation: services.config.demo,
      CopyOf: user.AccessLevel >= Level.Faculty ? ((await findRestoredCopy(db))?.backup_at ?? null) : null,
    }
  }),

  // The front-end is one program: it names its own assets, and a page needs no further ones from here.
  handle(session.getResources, async ({ body, services }) => {
    const assets = `${services.config.appRoot}/new/assets/`
    const isOwn = (path: string) => path.startsWith(assets) && !path.includes('..')
    return { Styles: body.Styles.filter(isOwn), Scripts: body.Scripts.filter(isOwn) }
  }),

  handle(session.getAdminData, async ({ db, user, session: current, services }) => {
    const counts = user.isSuperAdmin ? await countPeople(db, user.TimeZone) : undefined
    return {
      Path: `${services.config.appRoot}/new/`,
      Machine: services.config.role,
      WelcomeText: 'Welcome,',
      AdminUserName: user.Name,
      CurrentDate: writtenTodayIn(user.TimeZone),
      OnlineUsers: counts?.Online ?? null,
      DailyUsers: counts?.SignedInToday ?? null,
      TotalStudents: counts?.Students ?? null,
      NewArrangementId:
        current.programId !== null && !current.viewer && may(user, 'payments.read')
          ? await findNewArrangement(db, current.programId, user.Id)
          : null,
    }
  }),

  handle(session.getNonAdminData, async ({ db, user, session: current, services }) => {
    const program = await findProgramContext(db, current.programId)
    const missed = await db
      .selectFrom('evaluation')
      .select('id')
      .where('program_id', '=', user.ProgramId ?? 0)
      .where('evaluator_id', '=', user.Id)
      .where('is_completed', '=', false)
      .where('stopped_at', 'is', null)
      .where('deleted_at', 'is', null)
      .where('end_date', '<', sql<string>`(now() at time zone ${user.TimeZone})::date`)
      .limit(1)
      .executeTakeFirst()
    return {
      HasMissedEvaluations: Boolean(missed),
      Timeout: program?.Options.SessionIdleMinutes ?? 60,
      AppName: 'Practicum',
      ProgramName: program?.Name ?? '',
      UserName: user.Name,
      IsEmailAddressConfirmed: user.IsEmailAddressConfirmed,
      HelpLink: `${services.config.appRoot}/new/help`,
      NotificationCount: await countUnread(db, user),
    }
  }),
]
