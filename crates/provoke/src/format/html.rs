//! HTML labels of graphs as plain text.

/// An HTML text without its tags and with its entities replaced.
pub(super) fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut inside_tag = false;
    for character in html.chars() {
        match character {
            '<' => inside_tag = true,
            '>' => inside_tag = false,
            _ if !inside_tag => text.push(character),
            _ => {}
        }
    }
    for (entity, character) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&#39;", "'"), ("&amp;", "&")]
    {
        text = text.replace(entity, character);
    }
    text
}
