/**
 * Who may import whom (docs/architecture.md). scripts/directions.test.ts proves that every rule fires.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: 'contract-stands-alone',
      comment: 'The contract runs in server and browser: only zod and libraries that need neither.',
      severity: 'error',
      from: { path: '^contract/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^contract/', 'node_modules/(zod|temporal-polyfill|temporal-spec|temporal-utils)/'] },
    },
    {
      name: 'server-without-web',
      comment: 'Web and server meet in the contract only.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^web/' },
    },
    {
      name: 'web-without-server',
      comment: 'Web and server meet in the contract only.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^server/' },
    },
    {
      name: 'web-without-node',
      comment: 'A browser has no Node modules.',
      severity: 'error',
      from: { path: '^web/', pathNot: '\\.test\\.tsx?$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'core-without-modules',
      comment: 'Modules build on the core, never the other way round.',
      severity: 'error',
      from: { path: '^server/core/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/(modules/|test/|app\\.ts$|main\\.ts$)' },
    },
    {
      name: 'server-modules-share-queries-commands-and-services',
      comment:
        "A server module uses another one's *.queries.ts, *.across.ts, *.commands.ts and *.service.ts, nothing else of it.",
      severity: 'error',
      from: {
        path: '^server/modules/([^/]+)/',
        pathNot: ['\\.test\\.ts$', '^server/modules/imports/definitions\\.rules\\.ts$'],
      },
      to: {
        path: '^server/modules/',
        pathNot: ['^server/modules/$1/', '\\.(queries|across|commands|service)\\.ts$'],
      },
    },
    {
      name: 'queries-and-rules-never-write',
      comment: 'Queries read and rules decide: neither calls a command. A command calls them.',
      severity: 'error',
      from: { path: '^server/modules/.*\\.(queries|rules)\\.ts$' },
      to: { path: '\\.commands\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'asked-across-programs',
      comment: 'Only *.across.ts ask with the role that reads all programs.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: ['^server/core/database/', '\\.across\\.ts$', '\\.test\\.ts$', '^server/test/'],
      },
      to: { path: '^server/core/database/across(-role)?\\.ts$' },
    },
    {
      name: 'imports-know-definitions',
      comment: "The list of what can be imported knows the other modules' *.import.ts, nothing else of them.",
      severity: 'error',
      from: { path: '^server/modules/imports/definitions\\.rules\\.ts$' },
      to: { path: '^server/modules/', pathNot: '\\.import\\.ts$' },
    },
    {
      name: 'app-knows-server-modules',
      comment:
        'Only the lists of server/app.ts, server/subscribers.ts, server/stored-sums.ts and server/sealed-columns.ts know the modules, the processes of drafts and of tasks what they load; what serves never depends on what tests.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: [
          '^server/(modules|test)/',
          '^server/(app|subscribers|stored-sums|sealed-columns|draft|prepared)\\.ts$',
          '\\.test\\.ts$',
        ],
      },
      to: { path: '^server/modules/' },
    },
    {
      name: 'modules-without-app',
      comment: 'The list of modules is the last thing to know, not the first.',
      severity: 'error',
      from: { path: '^server/modules/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/(app|main)\\.ts$|^server/test/' },
    },
    {
      name: 'web-modules-stand-alone',
      comment:
        'What several web modules show lies in web/shared, or in web/ui when it knows no word of the domain.',
      severity: 'error',
      from: { path: '^web/modules/([^/]+)/' },
      to: { path: '^web/modules/', pathNot: '^web/modules/$1/' },
    },
    {
      name: 'routes-know-web-modules',
      comment:
        'Only web/pages.ts, own-pages.ts and staff-pages.ts know the modules, web/queue-kinds.ts what of theirs waits on a device, web/inbox.tsx what of theirs an inbox by link shows, and web/main.ts the login page.',
      severity: 'error',
      from: {
        path: '^web/',
        pathNot: [
          '^web/modules/',
          '^web/(pages|own-pages|staff-pages|queue-kinds|main)\\.ts$',
          '^web/inbox\\.tsx$',
        ],
      },
      to: { path: '^web/modules/' },
    },
    {
      name: 'ui-without-domain',
      comment: 'web/ui and web/api hold no word of the domain and stand below the shell.',
      severity: 'error',
      from: { path: '^web/(ui|api)/' },
      to: { path: '^web/(modules/|shared/|shell/|(own-|staff-)?pages\\.ts$|main\\.ts$)' },
    },
    {
      name: 'ui-knows-the-core-only',
      comment:
        'What web/ui shows of a domain it is given; of the contract it knows days, bases and the like.',
      severity: 'error',
      from: { path: '^web/ui/' },
      to: { path: '^contract/', pathNot: '^contract/core/' },
    },
    {
      name: 'library-behind-ui',
      comment: 'Pages take buttons, inputs and the like from web/ui: only it and the theme know the library.',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/(ui/|theme\\.ts$)' },
      to: { path: '@mantine/' },
    },
    {
      name: 'shell-below-shared',
      comment: 'What modules share builds on the shell, never the other way round.',
      severity: 'error',
      from: { path: '^web/shell/' },
      to: { path: '^web/shared/' },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or three.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-folder-cycles',
      comment: 'Two modules that need each other are one module, or three.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(server|web)/modules/[^/]+$|^contract/[^/]+$' },
      to: { circular: true },
    },
    {
      name: 'no-room-cycles',
      comment:
        'The rooms of a domain build on each other in one order: of placement, plan, solve, draft, after.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^server/modules/[^/]+/[^/]+$' },
      to: { circular: true },
    },
    {
      name: 'modules-name-kinds',
      comment: 'In server/modules the name of every file says its kind.',
      severity: 'error',
      from: {
        path: '^server/modules/',
        pathNot:
          '\\.(routes|queries|across|commands|rules|service|import|jobs|pages|protocol|solver|process|subscriber|test)\\.ts$',
      },
      to: {},
    },
    {
      name: 'solver-without-plans',
      comment: 'The parts of the solver work on numbers: they know each other and no plan.',
      severity: 'error',
      from: { path: '\\.solver\\.ts$', pathNot: '\\.test\\.ts$' },
      to: { path: '^(contract|server)/', pathNot: '\\.solver\\.ts$' },
    },
    {
      name: 'no-core-cycles',
      comment:
        'The groups of the core build on each other in one order: config, database, runtime, files, backup, auth, mail, http.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^server/core/[^/]+$' },
      to: { circular: true },
    },
    {
      name: 'nothing-unresolved',
      comment: 'A path that leads nowhere would escape every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '\\.css$|^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Tests may use anything.
    exclude: { path: '\\.(test|fixture)\\.tsx?$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
}
