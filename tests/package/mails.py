"""A mail server on port 2525 that accepts everyone and keeps each mail as a file. Usage: mails.py DIRECTORY"""

import asyncio
import os
import sys

from aiosmtpd.smtp import SMTP, AuthResult


class Keep:
    """Keeps mails in the order in which they arrive."""

    def __init__(self, directory):
        self.directory = directory
        self.count = 0

    async def handle_DATA(self, server, session, envelope):
        self.count += 1
        with open(os.path.join(self.directory, str(self.count)), "wb") as file:
            file.write(envelope.content)
        return "250 kept"


async def main(directory):
    handler = Keep(directory)
    let_in = lambda *_: AuthResult(success=True)
    loop = asyncio.get_running_loop()
    make = lambda: SMTP(handler, authenticator=let_in, auth_require_tls=False, enable_SMTPUTF8=True)
    server = await loop.create_server(make, "127.0.0.1", 2525)
    # The test waits for this directory, so create it only once the server listens.
    os.mkdir(directory)
    await server.serve_forever()


asyncio.run(main(sys.argv[1]))
