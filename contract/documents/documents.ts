import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  Id,
  IdOrNew,
  Ids,
  InProgram,
  Instant,
  Line,
  PageOf,
  paging,
  RequiredLine,
  Small,
  Sort,
  Text,
} from '#contract/core/fields.ts'
import { maxDocumentFileBytes, readAccess } from './documents-rules.ts'

// Categories -----------------------------------------------------------------------------------------------------

export const DocumentCategory = z.object({
  Id,
  Name: z.string(),
  DocumentCount: z.number().int(),
})
export type DocumentCategory = z.infer<typeof DocumentCategory>

/** The name may be empty: such a category is not offered to documents. */
export const DocumentCategoryInput = z.strictObject({ Id: IdOrNew.optional(), Name: Line(100) })
export type DocumentCategoryInput = z.input<typeof DocumentCategoryInput>

const oneCategory = z.strictObject({ programId: Id, categoryId: Id })
const nameTaken = { 409: 'the name is taken' } as const

export const listDocumentCategories = endpoint({
  method: 'GET',
  path: '/programs/:programId/document-categories',
  may: 'documents.manage',
  summary: 'The categories of documents by name',
  params: InProgram,
  answer: z.array(DocumentCategory),
})

export const createDocumentCategory = endpoint({
  method: 'POST',
  path: '/programs/:programId/document-categories',
  may: 'documents.manage',
  summary: 'Add a category of documents',
  params: InProgram,
  body: DocumentCategoryInput,
  answer: DocumentCategory,
  errors: nameTaken,
})

export const updateDocumentCategory = endpoint({
  method: 'POST',
  path: '/programs/:programId/document-categories/:categoryId',
  may: 'documents.manage',
  summary: 'Rename a category of documents',
  params: oneCategory,
  body: DocumentCategoryInput,
  answer: DocumentCategory,
  errors: nameTaken,
  basis: { read: listDocumentCategories, item: 'categoryId' },
})

export const deleteDocumentCategory = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/document-categories/:categoryId',
  may: 'documents.manage',
  summary: 'Delete a category with all its documents; it can be restored',
  params: oneCategory,
})

export const restoreDocumentCategory = endpoint({
  method: 'POST',
  path: '/programs/:programId/document-categories/:categoryId/restoration',
  may: 'documents.manage',
  summary: 'Bring a deleted category back, with the documents that went with it',
  params: oneCategory,
  answer: DocumentCategory,
  errors: { 409: 'its name, or the file name of one of its documents, was taken in the meantime' },
})

// Documents ------------------------------------------------------------------------------------------------------

export const ProgramDocument = z.object({
  Id,
  /** The category's name. */
  Category: z.string(),
  CategoryId: Id,
  Name: z.string(),
  Filename: z.string(),
  Description: z.string(),
  /** Level ids by commas; null is everyone, NONE nobody but staff who manage documents. */
  Access: z.string().nullable(),
  /** Labels of the student levels and names of the sites that it is for; empty is all. */
  StudentLevels: z.array(z.string()),
  Sites: z.array(z.string()),
  /** Where it is downloaded. */
  Url: z.string(),
  SiteMappings: z.array(z.object({ SiteId: Id })),
  StudentLevelMappings: z.array(z.object({ LevelId: Id })),
  SiteIds: z.array(Id),
  StudentLevelIds: z.array(Id),
  MediaType: z.string(),
  ByteCount: z.number().int(),
  /** When the file was added. */
  FileDate: Instant,
})
export type ProgramDocument = z.infer<typeof ProgramDocument>

const Access = z
  .string()
  .max(200)
  .nullable()
  .default(null)
  .refine(
    (text) => readAccess(text) !== undefined,
    'must be level ids separated by commas, NONE, or left out for everyone',
  )

/** `Filename` is how readers get the file; left out or empty it is the name the file was sent with, or has. */
export const DocumentInput = z.strictObject({
  Id: IdOrNew.optional(),
  CategoryId: Id,
  Name: RequiredLine(100),
  Filename: Line(255).optional(),
  Description: Text(2000).default(''),
  Access,
  SiteIds: Ids.default([]),
  StudentLevelIds: z.array(z.number().int().min(1).max(20)).max(20).default([]),
})
export type DocumentInput = z.input<typeof DocumentInput>
export type DocumentValues = z.output<typeof DocumentInput>

const oneDocument = z.strictObject({ programId: Id, documentId: Id })
const parts = z.strictObject({ document: DocumentInput })
const refused = {
  409: 'a file of that name exists',
  413: 'larger than 20 MiB',
  415: 'its content is of no accepted type',
  422: 'the category, a site or a student level does not exist',
} as const

/** What the list is narrowed by. `Level` finds what a role may read. */
const filter = {
  search: z.string().max(100).default(''),
  CategoryId: Id.optional(),
  Level: Small.optional(),
}

export const listDocuments = endpoint({
  method: 'GET',
  path: '/programs/:programId/documents',
  may: 'documents.manage',
  summary: "All of the program's documents by category and name",
  params: InProgram,
  answer: z.array(ProgramDocument),
})

export const searchDocuments = endpoint({
  method: 'GET',
  path: '/programs/:programId/documents/list',
  may: 'documents.manage',
  summary: 'A page of the documents, for managing them; search takes name, description and file name',
  params: InProgram,
  query: z.strictObject({
    ...filter,
    sort: Sort(['Id', 'Category', 'Name', 'FileDate']).default('Category'),
    ...paging,
  }),
  answer: PageOf(ProgramDocument),
})

export const getDocument = endpoint({
  method: 'GET',
  path: '/programs/:programId/documents/:documentId',
  may: 'documents.manage',
  summary: 'One document',
  params: oneDocument,
  answer: ProgramDocument,
})

export const createDocument = endpoint({
  method: 'POST',
  path: '/programs/:programId/documents',
  may: 'documents.manage',
  summary:
    'Add a document: the part document, and file as PDF, picture, text or office file of at most 20 MiB',
  params: InProgram,
  body: parts,
  takes: 'multipart',
  bodyLimit: maxDocumentFileBytes,
  answer: ProgramDocument,
  errors: { ...refused, 400: 'the file or a field is missing or wrong' },
})

export const updateDocument = endpoint({
  method: 'POST',
  path: '/programs/:programId/documents/:documentId',
  may: 'documents.manage',
  summary: 'Change a document; without a file the one it has stays',
  params: oneDocument,
  body: parts,
  takes: 'multipart',
  bodyLimit: maxDocumentFileBytes,
  answer: ProgramDocument,
  errors: refused,
  basis: { read: getDocument },
})

export const deleteDocument = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/documents/:documentId',
  may: 'documents.manage',
  summary: 'Delete a document; it can be restored',
  params: oneDocument,
})

export const restoreDocument = endpoint({
  method: 'POST',
  path: '/programs/:programId/documents/:documentId/restoration',
  may: 'documents.manage',
  summary: 'Bring a deleted document back',
  params: oneDocument,
  answer: ProgramDocument,
  errors: { 409: 'another document has its file name now, or its category was deleted' },
})

// Reading --------------------------------------------------------------------------------------------------------

/** A document as its readers see it. */
export const LibraryDocument = ProgramDocument.pick({
  Id: true,
  Category: true,
  CategoryId: true,
  Name: true,
  Filename: true,
  Description: true,
  Url: true,
  MediaType: true,
  ByteCount: true,
  FileDate: true,
})
export type LibraryDocument = z.infer<typeof LibraryDocument>

export const listLibrary = endpoint({
  method: 'GET',
  path: '/programs/:programId/documents/library',
  may: 'documents.read',
  summary: 'The documents that are for the reader, by category: their role, sites and student level decide',
  params: InProgram,
  query: z.strictObject({ search: filter.search, CategoryId: filter.CategoryId, ...paging }),
  answer: PageOf(LibraryDocument).extend({
    /** Every category with documents for the reader, whatever is searched. */
    Categories: z.array(z.object({ Id, Name: z.string(), Count: z.number().int() })),
  }),
})

export const downloadDocument = endpoint({
  method: 'GET',
  path: '/programs/:programId/documents/:documentId/file',
  may: 'documents.read',
  summary: 'The file of a document that is for the reader; staff who manage documents get every one',
  params: oneDocument,
  answers: 'file',
})
