"""The session's cookie: its name, its attributes, and the token in a request."""

from http.cookies import CookieError, SimpleCookie

from fastapi import Request, Response

COOKIE = "pitboss_session"
# Over TLS, browsers accept this name only from this very host, for all its paths and with Secure: neither another
# subdomain nor a connection without TLS can plant a session.
SECURE_COOKIE = f"__Host-{COOKIE}"


def cookie_name(scheme: str) -> str:
    """Return the cookie's name on a connection with this scheme."""
    return SECURE_COOKIE if scheme == "https" else COOKIE


def token_of(request: Request) -> str | None:
    """Return the session token that a request carries, if any."""
    return request.cookies.get(cookie_name(request.url.scheme))


def give_cookie(request: Request, response: Response, token: str) -> None:
    """Set a session's token as a cookie that no script and no other site can read."""
    scheme = request.url.scheme
    response.set_cookie(
        cookie_name(scheme), token, httponly=True, samesite="strict", path="/", secure=scheme == "https"
    )


def take_cookie(request: Request, response: Response) -> None:
    """Delete the session's cookie."""
    scheme = request.url.scheme
    response.delete_cookie(cookie_name(scheme), httponly=True, samesite="strict", path="/", secure=scheme == "https")


def session_in(header: str) -> str | None:
    """Return whatever a cookie header states as a session, valid or not."""
    try:
        cookies = SimpleCookie(header)
    except CookieError:
        return None
    found = cookies.get(SECURE_COOKIE) or cookies.get(COOKIE)
    return found.value if found else None
