/** The form of a call that takes one file, for `createRoute`. Only described here: files are read as they come in. */
export const fileForm = (field: string) => ({
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object' as const,
          properties: { [field]: { type: 'string' as const, format: 'binary' } },
          required: [field],
        },
      },
    },
  },
})
