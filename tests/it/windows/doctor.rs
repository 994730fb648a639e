//! The page for bug reports, where there is a display.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{AtomEnum, PropMode};
use x11rb::wrapper::ConnectionExt;

use super::xvfb::Display;
use crate::pages::doctor;

#[test]
fn the_doctor_knows_display_and_driver() {
    let Some(display) = Display::start() else {
        return;
    };
    let page = doctor(&[("DISPLAY", display.name())], "");
    assert!(page["display"].starts_with(&format!("X11 at {} (", display.name())));
    assert_eq!(page["monitors"], "screen 1280x720 at 0,0");
    assert_eq!(page["scale"], "1 (Xft.dpi is not set)");
    assert!(
        page["GL version"].ends_with("(asked by EGL, X11)"),
        "{page:?}"
    );
    assert!(!page["GL vendor"].is_empty() && !page["GL renderer"].is_empty());
    assert_eq!(page["float targets"], "16-bit yes, 32-bit yes");
    assert_eq!(page["instancing"], "yes");
    assert!(page["canvas"].contains(&page["GL renderer"]), "{page:?}");

    let (connection, screen) = x11rb::connect(Some(display.name())).unwrap();
    let root = connection.setup().roots[screen].root;
    let (name, kind) = (AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING);
    let list = b"Xft.dpi:\t144\n";
    connection
        .change_property8(PropMode::REPLACE, root, name, kind, list)
        .unwrap()
        .check()
        .unwrap();
    let old = [
        ("DISPLAY", display.name()),
        ("MESA_GL_VERSION_OVERRIDE", "2.1"),
    ];
    let page = doctor(&old, "");
    assert_eq!(page["scale"], "1.5 (Xft.dpi is 144)");
    assert_eq!(page["float targets"], "16-bit no, 32-bit no");
    assert_eq!(page["instancing"], "no");
}
