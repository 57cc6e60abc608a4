/** An answer of the size that those of the made-up contacts have. */
export const contactAnswer = JSON.stringify({
  status: 'success',
  data: {
    id: '3273698122',
    name: 'Person 500000',
    email: 'person500000@example.com',
    job_title: 'Engineer',
    phone: '+1 555 0100',
    website: 'https://example.com/500000',
    company: 'Example Ltd',
    created_at: '2024-06-08T13:38:33+00:00',
  },
});
